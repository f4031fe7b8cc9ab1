import Bus
import BusTesting
import Foundation
import Glibc
import NATSBridge
import RecordSources
import SystemPackage
import TestSupport
import Testing
import Timers

@testable import Forwarding

@Suite(
    "Forwarding to an OpenTelemetry receiver",
    .enabled(
        if: !OTLPReceiver.python.isEmpty && HTTPClient.loadFailure == nil,
        "needs python3, libcurl4 and libdeflate0"
    )
)
struct OTLPSinkTests {
    private let folder: TestFolder
    private let notes = Heard<String>()
    private var refused: String { folder.file("refused").string }

    init() throws {
        folder = try TestFolder()
    }

    /// The entries 1 to `count` behind a cursor.
    private static func entries(_ count: Int) -> Forwarder.Source {
        { cursor in
            let first = (cursor.flatMap { Int($0.dropFirst()) } ?? 0) + 1
            let items =
                first > count
                ? [] : (first...count).map { ForwardItem.entry(cursor: "e\($0)", payload: payload("e\($0)")) }
            return Signals.from(items).promoteFailure(to: ForwardError.self).eraseToAnySignal()
        }
    }

    private static func payload(_ cursor: String) -> [UInt8] {
        var (record, resource, logs) = (ProtobufWriter(), ProtobufWriter(), ProtobufWriter())
        Array(cursor.utf8).withUnsafeBytes { record.write(attribute: "log.record.uid", value: $0, field: 6) }
        resource.write(attribute: "service.name", value: ("shop" as StaticString).utf8, field: 1)
        var scope = ProtobufWriter()
        scope.write(record.bytes, field: 2)
        logs.write(resource.bytes, field: 1)
        logs.write(scope.bytes, field: 2)
        var request = ProtobufWriter()
        request.write(logs.bytes, field: 1)
        return request.bytes
    }

    private static func cursors(_ count: Int) -> [String] { (1...count).map { "e\($0)" } }

    private func sink(
        _ receiver: OTLPReceiver,
        _ options: String = "",
        scheme: String = "http",
        refused: String? = nil,
        timeout: Duration = .seconds(600)
    ) throws -> OTLPSink {
        OTLPSink(
            try OTLPAddress("otlp+\(scheme)://127.0.0.1:\(receiver.port)\(options)"),
            refusedTo: refused ?? self.refused,
            timeout: timeout
        ) { [notes] in notes.append($0) }
    }

    private struct Outcome {
        var news: [Forwarder.News] = []
        var failure: ForwardError?
        /// The cursor in the file.
        var cursor: String?

        var stored: Int { news.count { if case .stored = $0 { true } else { false } } }
        var leftOut: Int { news.count { $0 == .leftOut } }
    }

    /// Runs from the place in the file to the end.
    private func run(_ sink: OTLPSink, _ count: Int) async throws -> Outcome {
        let file = CursorFile(path: folder.file("cursor").string)
        let keeper = PlaceKeeper(file)
        let worker = ThreadScheduler(name: "forwarding")
        var outcome = Outcome()
        let forwarded = Forwarder(to: sink, on: worker, from: Self.entries(count))
            .forwarded(from: try ForwardPlace(file), keep: keeper) { [notes] in notes.append($0) }
        do {
            for try await news in forwarded.values() { outcome.news.append(news) }
        } catch ReceiveError<ForwardError>.failed(let failure) {
            outcome.failure = failure
        }
        _ = keeper.seal()
        #expect(keeper.finish() == nil)
        outcome.cursor = try file.read()
        return outcome
    }

    @Test("everything arrives once and in order, by few connections, with the headers of the file")
    func all() async throws {
        let receiver = try OTLPReceiver()
        try Data("# for the hub\nAuthorization: Bearer-abc\n".utf8).write(
            to: URL(fileURLWithPath: folder.file("headers").string)
        )
        #expect(chmod(folder.file("headers").string, 0o600) == 0)
        let sink = try sink(receiver, "/base?headers=\(folder.file("headers").string)")
        let outcome = try await run(sink, 5000)
        #expect(outcome.failure == nil && outcome.stored == 5000 && outcome.cursor == "e5000")
        #expect(try Set(receiver.cursors()) == Set(Self.cursors(5000)))
        #expect(try receiver.cursors().count == 5000)
        let log = receiver.log
        #expect(Set(log.map { $0[4...].joined(separator: " ") }) == ["/base/v1/logs Bearer-abc application/x-protobuf"])
        #expect(Set(log.map { $0[3] }).count <= 4 && log.count == sink.counts.requests + 1)
        #expect(sink.counts.retries == 0 && notes.values == [])
    }

    @Test(
        "a request is sent again after 429, 5xx and a broken connection, not before the time that the receiver names"
    )
    func retries() async throws {
        let receiver = try OTLPReceiver(["429 1", "502", "503 0", "500"])
        let sink = try sink(receiver)
        let outcome = try await run(sink, 1)
        #expect(outcome.failure == nil && outcome.stored == 1 && outcome.cursor == "e1")
        #expect(try receiver.cursors() == ["e1"])
        #expect(sink.counts.requests == 5 && sink.counts.retries == 4 && sink.counts.stored == 1 && notes.values == [])
        let times = receiver.log.dropFirst().compactMap { Double($0[0]) }
        #expect(times.count == 5 && times[1] - times[0] >= 1)
        let breaking = try OTLPReceiver(["reset", "reset"])
        #expect(try await run(try self.sink(breaking), 300).failure == nil)
        #expect(try Set(breaking.cursors()) == Set(Self.cursors(300).dropFirst()))
    }

    @Test("an outage that lasts longer is reported once, and nothing is lost")
    func outage() async throws {
        let receiver = try OTLPReceiver([String](repeating: "503", count: 12))
        let outcome = try await run(try sink(receiver), 200)
        #expect(outcome.failure == nil && outcome.cursor == "e200")
        #expect(try Set(receiver.cursors()) == Set(Self.cursors(200)))
        #expect(
            notes.values.count == 1 && notes.values.first?.hasSuffix("answers 503; waiting for it") == true,
            "\(notes.values)"
        )
    }

    @Test("a request that is too large is halved, and a record that is too large alone is recorded and passed over")
    func tooLarge() async throws {
        let receiver = try OTLPReceiver([], ["most": 7, "poison": ["e42"], "status": "413"])
        let sink = try sink(receiver)
        let outcome = try await run(sink, 200)
        #expect(outcome.failure == nil && outcome.stored == 199 && outcome.leftOut == 1 && outcome.cursor == "e200")
        #expect(try Set(receiver.cursors()) == Set(Self.cursors(200)).subtracting(["e42"]))
        #expect(try receiver.cursors().count == 199 && sink.counts.refused == 1)
        let letters = try letters()
        #expect(letters.count == 1 && letters[0]["cursor"] == "e42" && letters[0]["reason"]?.contains("413") == true)
        let request = Data(base64Encoded: letters.first?["request"] ?? "")
        #expect(request.map(Array.init) == Self.payload("e42"))
    }

    @Test(
        "of a request that is refused as wrong, the records are recorded because of which it is",
        arguments: ["400", "422"]
    )
    func wrong(status: String) async throws {
        let receiver = try OTLPReceiver([], ["poison": ["e42", "e43", "e199"], "status": status])
        let sink = try sink(receiver)
        let outcome = try await run(sink, 200)
        #expect(outcome.failure == nil && outcome.cursor == "e200" && outcome.stored == 197 && outcome.leftOut == 3)
        #expect(try Set(receiver.cursors()) == Set(Self.cursors(200)).subtracting(["e42", "e43", "e199"]))
        #expect(sink.counts.stored == 197 && sink.counts.refused == 3 && sink.counts.retries == 0)
        #expect(try Set(letters().map { $0["cursor"] }) == ["e42", "e43", "e199"])
        // A report may be refused itself, so there are few.
        #expect(notes.values.count == 1 && notes.values[0].contains("answers \(status)"), "\(notes.values)")
    }

    @Test("a receiver that refuses everything is not asked for each record")
    func hopeless() async throws {
        let receiver = try OTLPReceiver(["200"] + [String](repeating: "400", count: 10_000))
        let sink = try sink(receiver)
        let outcome = try await run(sink, 3000)
        #expect(outcome.failure == nil && outcome.cursor == "e3000" && outcome.leftOut == 2999)
        #expect(try letters().map { $0["cursor"] ?? "" }.sorted() == Self.cursors(3000).filter { $0 != "e1" }.sorted())
        #expect(sink.counts.requests < 500 && sink.counts.refused == 2999)
        #expect(notes.values.first?.contains("answers 400: no such tenant") == true, "\(notes.values)")
    }

    @Test("a receiver that takes no old records gets the others")
    func old() async throws {
        let receiver = try OTLPReceiver([String](repeating: "400", count: 100))
        let sink = try sink(receiver)
        let outcome = try await run(sink, 3000)
        #expect(outcome.failure == nil && outcome.cursor == "e3000" && outcome.leftOut >= OTLPBisection.patience)
        let kept = try letters().compactMap { $0["cursor"] }
        #expect(try Set(receiver.cursors()).union(kept) == Set(Self.cursors(3000)) && kept.count == outcome.leftOut)
    }

    @Test("what refuses everything, also an empty request, is no receiver: forwarding ends, and the place stays")
    func stranger() async throws {
        let receiver = try OTLPReceiver([String](repeating: "400", count: 10_000), ["probe": "400"])
        let sink = try sink(receiver)
        let outcome = try await run(sink, 3000)
        #expect(outcome.failure?.description.contains("records and taken none") == true, "\(outcome)")
        #expect(sink.counts.stored == 0 && sink.counts.refused < OTLPBisection.patience)
        #expect(outcome.cursor.flatMap { Int($0.dropFirst()) } ?? 0 <= sink.counts.refused)
    }

    private func letters() throws -> [[String: String]] {
        try String(contentsOfFile: refused, encoding: .utf8).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]
        }
    }

    @Test("an entry leaves soon, although another request is not answered")
    func soon() async throws {
        let receiver = try OTLPReceiver(["hang"])
        let sink = try sink(receiver)
        let connection = sink.connection()
        _ = try await connection.begin(from: ForwardPlace())
        let (first, second) = (
            Listening(connection.store(Self.payload("e1"), cursor: "e1")),
            Listening(connection.store(Self.payload("e2"), cursor: "e2"))
        )
        // Not on a thread of Swift's pool, which sending needs.
        await until { second.valueCount == 1 }
        first.dispose()
        second.dispose()
        connection.ending(on: ThreadScheduler(name: "ending")).subscribe(next: {}, failed: { _ in }).dispose()
    }

    @Test("a file of secrets that every user can read is reported once")
    func permissions() async throws {
        let file = folder.file("headers").string
        try Data("A: secret\n".utf8).write(to: URL(fileURLWithPath: file))
        let receiver = try OTLPReceiver()
        for (mode, count) in [(mode_t(0o640), 0), (0o604, 1)] {
            #expect(chmod(file, mode) == 0)
            let sink = try sink(receiver, "?headers=\(file)")
            let first = try await sink.connection().begin(from: ForwardPlace()).notes
            #expect(
                first.count == count && first.allSatisfy { $0.contains(file) && !$0.contains("secret\n") },
                "\(first)"
            )
            #expect(try await sink.connection().begin(from: ForwardPlace()).notes == [])
        }
    }

    @Test("the place stays where refused records cannot be recorded")
    func unrecorded() async throws {
        let receiver = try OTLPReceiver(["400"])
        let outcome = try await run(try sink(receiver, refused: folder.file("none/refused").string), 1)
        #expect(
            outcome.failure?.description.contains("cannot write refused records to") == true && outcome.cursor == nil
        )
        #expect(outcome.failure?.verdict == .end)
    }

    @Test("records that are rejected in part are counted and reported, and answers that cannot be read are")
    func partial() async throws {
        // The second says that it has rejected 2^63 - 1.
        let receiver = try OTLPReceiver(["200 0a07080312036f6c64", "200 0a0a08ffffffffffffffff7f"])
        let sink = try sink(receiver)
        #expect(try await run(sink, 1).cursor == "e1")
        #expect(sink.counts.rejected == 1 && sink.counts.stored == 0)
        #expect(notes.values.first?.hasSuffix("has rejected 1 of 1 records: old") == true, "\(notes.values)")
        #expect(try await run(sink, 2).cursor == "e2")
        #expect(sink.counts.rejected == 2 && sink.counts.stored == 0)
        let html = try OTLPReceiver(["200 3c68746d6c3e"])
        #expect(try await run(try self.sink(html), 3).cursor == "e3")
        #expect(notes.values.last?.contains("is no ExportLogsServiceResponse") == true, "\(notes.values)")
    }

    @Test("answers that hang or come too late lose nothing")
    func late() async throws {
        let receiver = try OTLPReceiver(["hang", "late"])
        let sink = try sink(receiver, timeout: .milliseconds(300))
        let outcome = try await run(sink, 100)
        #expect(outcome.failure == nil && outcome.cursor == "e100")
        // Told of without waiting for more of them.
        #expect(notes.values.contains { $0.hasSuffix("; waiting for it") }, "\(notes.values)")
        receiver.open()
        #expect(try Set(receiver.cursors()) == Set(Self.cursors(100)))
    }

    @Test(
        "a receiver that takes nothing ends forwarding, with its place kept",
        arguments: [("401", "answers 401"), ("404", "answers 404"), ("307", "redirects are not followed")]
    )
    func refusing(status: String, message: String) async throws {
        let closed = try OTLPReceiver([], ["probe": status])
        let probed = try await run(try sink(closed), 10)
        #expect(closed.log.count == 1)
        #expect(probed.failure?.description.contains(message) == true && probed.cursor == nil)
    }

    @Test("a redirect ends it later, too; credentials and paths may be mended")
    func changing() async throws {
        let receiver = try OTLPReceiver(["307"])
        let outcome = try await run(try sink(receiver), 10)
        #expect(outcome.cursor == nil && outcome.failure?.verdict == .end, "\(String(describing: outcome.failure))")
        #expect(try await run(try sink(receiver), 10).cursor == "e10")
        for status in ["401", "403", "404", "407"] {
            let receiver = try OTLPReceiver([status])
            let outcome = try await run(try sink(receiver), 20)
            #expect(outcome.failure == nil && outcome.cursor == "e20", "\(String(describing: outcome.failure))")
            #expect(notes.values.contains { $0.hasSuffix("answers \(status); waiting for it") }, "\(notes.values)")
            unlink(folder.file("cursor").string)
        }
    }

    @Test("a run that was killed is taken up without a loss, and a receiver that is not there is waited for")
    func resumed() async throws {
        let first = try OTLPReceiver(["200", "hang"])
        let sink = try sink(first)
        let file = CursorFile(path: folder.file("cursor").string)
        let keeper = PlaceKeeper(file)
        let worker = ThreadScheduler(name: "forwarding")
        let listening = Listening(
            Forwarder(to: sink, on: worker, from: Self.entries(500)).forwarded(from: ForwardPlace(), keep: keeper) {
                _ in
            }
        )
        // The first entry is sent alone, and the others are on their way.
        await until { listening.valueCount >= 2 }
        listening.dispose()
        #expect(keeper.finish() == nil)
        first.stop()
        let gone = Listening(
            Forwarder(to: sink, on: worker, from: Self.entries(500))
                .forwarded(from: ForwardPlace(), keep: PlaceKeeper(CursorFile(path: folder.file("other").string))) {
                    [notes] in notes.append($0)
                }
        )
        await until { notes.values.contains { $0.contains("waiting for it") } }
        gone.dispose()
        let second = try OTLPReceiver()
        #expect(try await run(try self.sink(second), 500).cursor == "e500")
        #expect(try Set(first.cursors() + second.cursors()) == Set(Self.cursors(500)))
    }

    @Test(
        "TLS with an authority and a client's certificate of one's own",
        .enabled(if: access("/usr/bin/openssl", X_OK) == 0, "needs openssl")
    )
    func tls() async throws {
        let (cert, key) = (folder.file("cert.pem").string, folder.file("key.pem").string)
        try folder.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test \
            -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem 2>/dev/null
            """
        )
        let receiver = try OTLPReceiver([], ["cert": cert, "key": key, "ca": cert])
        let outcome = try await run(try sink(receiver, "?ca=\(cert)&cert=\(cert)&key=\(key)", scheme: "https"), 10)
        #expect(outcome.failure == nil && outcome.cursor == "e10")
        let open = try OTLPReceiver([], ["cert": cert, "key": key])
        let distrusting = try await run(try sink(open, scheme: "https"), 20)
        #expect(distrusting.failure?.verdict == .waitIfKnown && distrusting.cursor == "e10")
        #expect(try open.cursors() == [])
    }
}

@Suite("Parts of the OpenTelemetry sink")
struct OTLPPartsTests {
    @Test("an entry alone is sent at once, others together, as large as allowed")
    func batches() {
        var batches = OTLPBatches<Int>(OTLPBatches.Limits(records: 3, bytes: 100, requests: 2))
        #expect(batches.add(1, records: 1, size: 10) == [1])
        #expect(batches.add(2, records: 1, size: 10) == nil && batches.add(3, records: 1, size: 10) == nil)
        #expect(batches.add(4, records: 1, size: 10) == [2, 3, 4])
        for number in 5...8 { #expect(batches.add(number, records: 1, size: 10) == nil) }
        #expect(batches.finished() == [5, 6, 7] && batches.finished() == [8])
        #expect(batches.finished() == nil && batches.finished() == nil)
        // Larger than a batch may be.
        #expect(batches.add(9, records: 1, size: 1000) == [9])
        #expect(batches.add(10, records: 1, size: 60) == nil && batches.add(11, records: 1, size: 60) == [10])
        #expect(batches.finished() == [11] && batches.finished() == nil)
        // What has waited long enough is sent beside another request, if there may be one more.
        #expect(batches.add(12, records: 1, size: 1) == nil && batches.waited() == [12] && !batches.isWaiting)
        #expect(batches.add(13, records: 1, size: 1) == nil && batches.waited() == nil && batches.isWaiting)
        #expect(batches.finished() == [13])
    }

    @Test("entries with several records are sent together up to the limit of records")
    func batchesOfBatches() {
        var batches = OTLPBatches<Int>(OTLPBatches.Limits(records: 3, bytes: 100, requests: 2))
        #expect(batches.add(1, records: 1, size: 1) == [1] && batches.add(2, records: 2, size: 1) == nil)
        #expect(batches.add(3, records: 2, size: 1) == [2])
        #expect(batches.add(4, records: 1, size: 1) == nil && batches.finished() == [3, 4])
        #expect(batches.finished() == nil && batches.finished() == nil)
        // More than a batch may have.
        #expect(batches.add(5, records: 9, size: 1) == [5] && !batches.isWaiting)
    }

    @Test(
        "all records are found that are refused by themselves, and others taken, with few requests",
        arguments: 0..<200
    )
    func bisection(seed: UInt64) {
        var generator = SeededGenerator(seed)
        let count = Int.random(in: 1...300, using: &generator)
        let bad = Set(
            (0..<Int.random(in: 1...5, using: &generator)).map { _ in Int.random(in: 0..<count, using: &generator) }
        )
        var (search, taken, requests) = (OTLPBisection(count: count, isTooLarge: true, reason: "x"), [Int](), 0)
        while let range = search.next {
            requests += 1
            if bad.isDisjoint(with: range) {
                taken += range
                search.taken()
            } else {
                search.refused(isTooLarge: true, reason: "y")
            }
        }
        #expect(search.refusals.flatMap { Array($0.records) } == bad.sorted())
        #expect((taken + bad).sorted() == Array(0..<count))
        #expect(requests <= 2 * bad.count * 9)
    }

    @Test("after many refusals and nothing that was taken, requests are not halved; but where the size is refused")
    func patience() {
        for isTooLarge in [false, true] {
            var (search, requests) = (OTLPBisection(count: 1000, isTooLarge: isTooLarge, reason: "x"), 1)
            while search.next != nil {
                requests += 1
                search.refused(isTooLarge: isTooLarge, reason: "x")
            }
            #expect(search.refusals.flatMap { Array($0.records) } == Array(0..<1000))
            #expect(isTooLarge ? requests == 1999 : requests <= OTLPBisection.patience + 10)
        }
        // What was not asked for is asked for once, and taken if the receiver takes it.
        var (search, taken) = (OTLPBisection(count: 1000, isTooLarge: false, reason: "x"), 0)
        while let range = search.next {
            if range.lowerBound >= 500 {
                taken += range.count
                search.taken()
            } else {
                search.refused(isTooLarge: false, reason: "x")
            }
        }
        #expect(taken == 500)
        #expect(search.refusals.flatMap { Array($0.records) } == Array(0..<500))
    }

    @Test(
        "an address",
        arguments: [
            ("otlp+http://a:4318", "http://a:4318/v1/logs"), ("otlp+https://a/otlp/", "https://a/otlp/v1/logs"),
            (
                "otlp+http://[::1]:1/insert/opentelemetry/v1/logs?proxy=http://p:1",
                "http://[::1]:1/insert/opentelemetry/v1/logs"
            ),
        ]
    )
    func address(text: String, url: String) throws {
        #expect(try OTLPAddress(text).url == url)
    }

    @Test(
        "what is wrong with an address is said, without its secrets",
        arguments: [
            ("http://a", "otlp+http://HOST:PORT"), ("otlp+http://u:secret@a", "headers=FILE"),
            ("otlp+http://", "no host"), ("otlp+http://a:/x", "port is missing"),
            ("otlp+http:///x", "no host"), ("otlp+http://a?key=/k", "needs both"),
            ("otlp+http://a?x=1", "no option 'x'"),
            ("otlp+http://a b", "neither spaces"), ("otlp+http://a?proxy=http://u:secret@p", "proxy"),
        ]
    )
    func mistakes(text: String, message: String) {
        let flaw = #expect(throws: SourceArgumentError.self) { try OTLPSink(text, refusedTo: "/x") { _ in } }
        #expect(
            flaw?.description.contains(message) == true && flaw?.description.contains("secret") == false,
            "\(flaw?.description ?? "")"
        )
    }

    @Test(
        "a file of headers, and what is wrong with it, without what it says",
        arguments: [
            ("A: 1\n\n# x\nB-c:  two words \t\n", ""), ("# secret\n", "holds no headers"), ("secret", "line 1 of"),
            ("A: 1\n: secret\n", "line 2 of"),
            ("A b: secret", "line 1 of"), ("A:", "line 1 of"), ("Content-Type: secret", "cannot be chosen"),
            ("A: secret\u{7F}", "line 1 of"), (String(repeating: "A: secret\n", count: 7000), "longer than 64 KiB"),
        ]
    )
    func headers(text: String, message: String) throws {
        let folder = try TestFolder()
        let file = folder.file("headers").string
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        guard !message.isEmpty else {
            #expect(try HeadersFile(path: file).headers() == ["A: 1", "B-c: two words"])
            return
        }
        let failure = #expect(throws: HeadersFile.Failure.self) { try HeadersFile(path: file).headers() }
        #expect(failure?.description.contains(message) == true && failure?.description.contains("secret") == false)
    }
}
