import Bus
import BusTesting
import FileBridge
import FilterBridge
import Foundation
import NATSBridge
import RecordSources
import Records
import SystemPackage
import TestSupport
import Testing

@testable import Forwarding

/// Stores entries in memory, and fails when it is told to.
private final class MemorySink: ForwardSink, Sendable {
    struct State: Sendable {
        /// The cursors of what is stored, in the order of storing.
        var stored: [String] = []
        /// The cursors of all that connections were given to store.
        var given: [String] = []
        /// The places from which connections began.
        var begun: [ForwardPlace] = []
        /// How many entries each connection stores before it fails.
        var limits: [Int]
        var failure = ForwardError("the sink is away", .wait)
        var refused: Set<String> = []
        /// Why the first connections cannot begin.
        var unready: [ForwardError] = []
    }

    let state: Lock<State>

    /// - Parameter limits: how many entries the first connections store before they fail.
    init(limits: [Int] = []) {
        state = Lock(State(limits: limits))
    }

    var stored: [String] { state.withLock { $0.stored } }

    func connection() -> any ForwardConnection { Connection(sink: self) }

    final class Connection: ForwardConnection, Sendable {
        let sink: MemorySink
        private let left = Lock(Int.max)

        init(sink: MemorySink) {
            self.sink = sink
        }

        func begin(from place: ForwardPlace) async throws(ForwardError) -> ForwardBeginning {
            let unready = sink.state.withLock { $0.unready.isEmpty ? nil : $0.unready.removeFirst() }
            if let unready { throw unready }
            let known = sink.state.withLock { state -> [String: UInt64] in
                state.begun.append(place)
                let limit = state.limits.isEmpty ? Int.max : state.limits.removeFirst()
                left.withLock { $0 = limit }
                let behind = Int(place.sequence ?? 0)
                return Dictionary(
                    state.stored.enumerated().dropFirst(behind).map { ($1, UInt64($0 + 1)) },
                    uniquingKeysWith: { $1 }
                )
            }
            var beginning = place
            beginning.sequence = place.sequence ?? 0
            return ForwardBeginning(beginning, known: known)
        }

        func store(_ payload: [UInt8], cursor: String) -> AnySignal<ForwardReceipt, ForwardError> {
            Signals.deferred { [self] in
                let mayStore = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                let outcome = sink.state.withLock { state -> Result<ForwardReceipt, ForwardError> in
                    state.given.append(cursor)
                    if state.refused.contains(cursor) { return .success(.leftOut(reason: "too large")) }
                    guard mayStore else { return .failure(state.failure) }
                    state.stored.append(cursor)
                    return .success(.stored(sequence: UInt64(state.stored.count), isDuplicate: false))
                }
                return switch outcome {
                case .success(let receipt):
                    Signals.just(receipt).promoteFailure(to: ForwardError.self).eraseToAnySignal()
                case .failure(let failure): Signals.fail(failure, of: ForwardReceipt.self).eraseToAnySignal()
                }
            }
            .eraseToAnySignal()
        }

        func ending(on scheduler: ThreadScheduler) -> AnySignal<Void, ForwardError> {
            Signals.never(Void.self, failure: ForwardError.self).eraseToAnySignal()
        }
    }
}

/// Three records each time, as of a pipe: neither live nor with places.
private struct Piped: RecordSource {
    static let spellings: [SourceSpelling] = []
    let word = "pipe"
    var fields: RecordKind { .fields([:]) }

    init() {}

    init(word: String, operand: String) throws(SourceArgumentError) {}

    func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        if case .behind(let place) = request.start {
            return Signals.fail(SourceError(of: "pipe", "\(place) is no place"), of: RecordItem.self)
                .eraseToAnySignal()
        }
        let records = Signals.from(1...3).records(named: request.name) { number in
            RecordFields(message: "\(number)", [:])
        }
        return records.promoteFailure(to: SourceError.self).items(request)
    }
}

@Suite("Forwarding to a sink that acknowledges")
struct ForwarderTests {
    private let worker = ThreadScheduler(name: "forwarding")
    private let path = FileManager.default.temporaryDirectory.appending(path: "place-\(UUID().uuidString)").path

    /// The entries 1 to `count` behind a cursor.
    private static func entries(_ count: Int) -> Forwarder.Source {
        { cursor in
            let first = (cursor.flatMap { Int($0) } ?? 0) + 1
            let items =
                first > count ? [] : (first...count).map { ForwardItem.entry(cursor: "\($0)", payload: [1, 2, 3]) }
            return Signals.from(items).promoteFailure(to: ForwardError.self).eraseToAnySignal()
        }
    }

    /// Runs to the end, and returns what happened and what was noted.
    private func run(
        _ sink: MemorySink,
        _ source: @escaping Forwarder.Source
    ) async throws -> (news: [Forwarder.News], notes: [String], place: ForwardPlace) {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = CursorFile(path: path)
        let keeper = PlaceKeeper(file)
        let notes = Heard<String>()
        var news: [Forwarder.News] = []
        let forwarded = Forwarder(to: sink, on: worker, from: source)
            .forwarded(from: try ForwardPlace(file), keep: keeper, note: notes.append)
        for try await item in forwarded.values() { news.append(item) }
        #expect(keeper.finish() == nil)
        return (news, notes.values, try ForwardPlace(file))
    }

    @Test("everything is stored once, and the place is behind the last entry")
    func whole() async throws {
        let sink = MemorySink()
        let (news, notes, place) = try await run(sink, Self.entries(1000))
        #expect(sink.stored == (1...1000).map { "\($0)" })
        #expect(news.first == .began && news.count == 1001 && notes == [])
        #expect(place == ForwardPlace(cursor: "1000", sequence: 1000))
    }

    @Test("after failures that pass it goes on, and nothing that is stored is sent again")
    func again() async throws {
        let sink = MemorySink(limits: [3, 0, 4])
        let (_, notes, place) = try await run(sink, Self.entries(20))
        #expect(sink.stored.count == 20 && Set(sink.stored).count == 20)
        #expect(place.cursor == "20")
        #expect(sink.state.withLock { $0.begun.count } == 4)
        // Each outage is told of once.
        #expect(notes.contains { $0 == "the sink is away; waiting for it" })
    }

    @Test("what kept it from beginning is over when it begins: the next outage is told, though nothing was stored")
    func refusedAtFirst() async throws {
        let sink = MemorySink(limits: [0])
        sink.state.withLock { $0.unready = [ForwardError("the store is not ready", .wait, isOutage: false)] }
        let (_, notes, _) = try await run(sink, Self.entries(20))
        #expect(sink.stored.count == 20)
        #expect(notes == ["the store is not ready; waiting for it", "the sink is away; waiting for it"])
    }

    @Test("what the sink has already waits for nothing")
    func known() async throws {
        let sink = MemorySink()
        sink.state.withLock { $0.stored = ["1", "2"] }
        let forwarder = Forwarder(to: sink, on: worker, from: Self.entries(3))
        let beginning = try #require(ForwardPlace(sequence: 0))
        let forwarded = forwarder.forwarded(from: beginning, keep: PlaceKeeper(nil)) { _ in }
        for try await _ in forwarded.values() {}
        #expect(sink.stored == ["1", "2", "3"])
        #expect(forwarder.activity.waiting == 0 && forwarder.activity.stored == 1)
    }

    @Test("a failure that waiting cannot change ends it, and the place is that of what is stored")
    func ended() async throws {
        let sink = MemorySink(limits: [2])
        sink.state.withLock { $0.failure = ForwardError("sealed", .end) }
        let keeper = PlaceKeeper(CursorFile(path: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let forwarded = Forwarder(to: sink, on: worker, from: Self.entries(5))
            .forwarded(from: ForwardPlace(), keep: keeper) { _ in }
        await #expect(throws: ReceiveError<ForwardError>.self) { for try await _ in forwarded.values() {} }
        #expect(keeper.finish() == nil)
        let place = try ForwardPlace(CursorFile(path: path))
        #expect(["1", "2"].contains(place.cursor ?? "") && sink.stored == ["1", "2"])
    }

    @Test("an entry that can never be stored is left out and told of, and entries that do not match are passed over")
    func leftOut() async throws {
        let sink = MemorySink()
        sink.state.withLock { $0.refused = ["2"] }
        let items: [ForwardItem] = [
            .entry(cursor: "1", payload: [1]), .entry(cursor: "2", payload: [2]), .note("3 are missing"), .place("6"),
        ]
        let (news, notes, place) = try await run(sink) { _ in
            Signals.from(items).promoteFailure(to: ForwardError.self).eraseToAnySignal()
        }
        #expect(sink.stored == ["1"] && news.contains(.leftOut))
        #expect(Set(notes) == ["the entry 2 is left out: too large", "3 are missing"])
        #expect(place.cursor == "6")
    }

    @Test("what waiting cannot change ends the run; what the next connection may change is waited for")
    func verdicts() {
        func failure(_ reason: NATSError.Reason) -> ForwardError {
            ForwardError(NATSError(reason, "store", server: "nats://h"))
        }
        let patience = ForwardPatience()
        let sealed = failure(.jetStream(code: 10109, text: ""))
        let full = failure(.jetStream(code: 10077, text: ""))
        for error in [
            sealed, failure(.noStream), failure(.jetStream(code: 10039, text: "")),
            failure(.library(status: 1, text: "")),
        ] {
            #expect(!patience.isTemporary(error), "\(error)")
        }
        for error in [
            full, failure(.disconnected("")), failure(.timedOut), failure(.jetStream(code: 99_999, text: "")),
        ] {
            #expect(patience.isTemporary(error), "\(error)")
        }
        patience.foundSink()
        #expect(patience.isTemporary(failure(.library(status: 1, text: ""))) && !patience.isTemporary(sealed))
        for round in 1...ForwardPatience.maxDenials {
            patience.failed(failure(.noStream))
            #expect(patience.isTemporary(failure(.noStream)) == (round < ForwardPatience.maxDenials))
        }
        // Something else came in between.
        patience.failed(full)
        patience.failed(failure(.noStream))
        #expect(patience.isTemporary(failure(.noStream)))
        #expect(NATSError.Reason.jetStream(code: 10054, text: "").isOfOneMessage)
        #expect(
            NATSError.Reason.tooLarge(bytes: 2, limit: 1).isOfOneMessage && !NATSError.Reason.noStream.isOfOneMessage
        )
    }

    @Test(
        "a server is written alone, and what is wrong is said",
        arguments: [
            ("nats://a:4222/errors", "write the server alone"), ("a:4222", "nats://HOST:PORT"),
            ("nats://a?key=1", "there is no option 'key'"), ("nats://u:p/w@a", "it is not clear what the slash"),
        ]
    )
    func server(text: String, message: String) {
        let mistake = #expect(throws: SourceArgumentError.self) { try JetStreamSink(text, subject: "errors.a") }
        #expect(mistake?.description.contains(message) == true, "\(mistake?.description ?? "")")
        #expect(throws: Never.self) { try JetStreamSink("nats://u:p@a:4222,b?creds=/x", subject: "errors.a") }
    }

    @Test("the place has the sink's number and its date, and is read from files without them")
    func place() throws {
        let place = try #require(ForwardPlace(cursor: "c", sequence: 7, made: "2026-01-01T00:00:00Z"))
        func read(_ text: String) throws -> ForwardPlace {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return try ForwardPlace(lines: lines, path: "f")
        }
        #expect(try read(place.text + "\n") == place)
        #expect(try read("c\n") == ForwardPlace(cursor: "c"))
        #expect(try read("c\n7\n") == ForwardPlace(cursor: "c", sequence: 7))
        #expect(try read("") == ForwardPlace())
        #expect(try read("\n0\n") == ForwardPlace(sequence: 0))
        for text in ["", "c\n", "c\r\nd"] {
            #expect(ForwardPlace(cursor: text) == nil && ForwardPlace(sequence: 1, made: text) == nil)
        }
    }

    @Test("items are taken while there is room for their bytes, and go on when some is given back")
    func capacity() {
        let capacity = ByteCapacity(250)
        let payload = [UInt8](repeating: 0, count: 99 - ForwardItem.minSize)
        let items = (0..<10).map { ForwardItem.entry(cursor: "\($0)", payload: payload) }
        let recorder = Recorder(Signals.from(items).taking(capacity))
        #expect(recorder.valueCount == 3 && capacity.isFull)
        capacity.giveBack(100)
        #expect(recorder.valueCount == 4)
        capacity.giveBack(300)
        #expect(recorder.valueCount == 7)
        recorder.dispose()
        capacity.giveBack(300)
        #expect(recorder.valueCount == 7 && recorder.violations.isEmpty)
    }

    @Test("the place moves on in the order of the journal, whatever order acknowledgements have")
    func order() throws {
        let base = try #require(ForwardPlace(sequence: 10))
        var progress = ForwardProgress(ForwardBeginning(base, known: ["b": 12]), maxEntries: 2)
        let (a, b, c) = (
            progress.begin("a", size: 10), progress.begin("b", size: 20), progress.begin("c", size: 30)
        )
        #expect(a.stored == nil && b.stored == 12 && c.stored == nil)
        #expect(progress.finish(c.number, stored: 21) == nil)
        #expect(progress.finish(b.number, stored: 12) == nil)
        let done = progress.finish(a.number, stored: 20)
        #expect(done?.place == ForwardPlace(cursor: "c", sequence: 21) && done?.freed == 60)
        #expect(progress.finish(progress.pass("d", size: 10).number, stored: nil)?.place.cursor == "d")
    }

    @Test("of many places behind an entry that waits, one is kept; what is done behind it keeps its capacity")
    func places() {
        var progress = ForwardProgress(ForwardBeginning(ForwardPlace()), maxEntries: 2)
        let waiting = progress.begin("a", size: 100)
        for number in 1...1000 {
            let (place, freed) = progress.pass("\(number)", size: 10)
            #expect(freed == (number == 1 ? 0 : 10))
            #expect(progress.finish(place, stored: nil) == nil)
        }
        let behind = progress.begin("b", size: 1000)
        #expect(progress.finish(behind.number, stored: 2) == nil)
        let done = progress.finish(waiting.number, stored: 1)
        #expect(done?.place == ForwardPlace(cursor: "b", sequence: 2) && done?.freed == 1110)
    }

    @Test("of a cluster's stream, messages younger than its duplicate window are sent again")
    func trusted() {
        func time(_ configuration: String) -> Int64 {
            NATSStreamState(Array(#"{"config":{\#(configuration)}}"#.utf8)).trusted(at: 1_000_000_000).microseconds
        }
        #expect(time(#""num_replicas":1,"duplicate_window":120000000000"#) == .max)
        #expect(time(#""num_replicas":3,"duplicate_window":120000000000"#) == 890_000_000)
        #expect(time(#""num_replicas":3,"duplicate_window":100000000"#) == 999_950_000)
        #expect(time(#""num_replicas":3"#) == 1_000_000_000)
    }

    private func cursorFile(in folder: TestFolder) -> CursorFile { CursorFile(path: folder.file("place").string) }

    private func place(in folder: TestFolder) throws -> ForwardPlace { try ForwardPlace(cursorFile(in: folder)) }

    /// Forwards what there is behind the place in a folder's file, or until the sink fails.
    private func forward(
        _ source: any RecordSource,
        to sink: MemorySink,
        placeIn folder: TestFolder,
        matching filter: RecordFilter? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let keeper = PlaceKeeper(cursorFile(in: folder))
        var request = SourceRequest(name: "shop", on: worker)
        request.follows = false
        request.filter = filter
        let forwarded = Forwarder(to: sink, from: source, request: request, on: worker)
            .forwarded(from: try place(in: folder), keep: keeper, note: note)
        do {
            for try await _ in forwarded.values() {}
        } catch ReceiveError<ForwardError>.failed(let failure) {
            #expect(failure == sink.state.withLock { $0.failure })
        }
        #expect(keeper.finish() == nil)
    }

    @Test(
        "a log that is moved away before anything of it is stored, or written, is read from its beginning",
        arguments: [0, 2]
    )
    func moved(written count: Int) async throws {
        let folder = try TestFolder()
        let log = LineRecords(.json, of: folder.file("log").string)
        let sink = MemorySink(limits: [0])
        sink.state.withLock { $0.failure = ForwardError("sealed", .end) }
        try folder.shell(#": >log; for n in $(seq \#(count)); do echo "{\"n\":$n}" >>log; done"#)
        try await forward(log, to: sink, placeIn: folder)
        #expect(sink.stored.isEmpty)
        try folder.shell(#"echo '{"n":3}' >>log; mv log log.1; echo '{"n":4}' >log"#)
        try await forward(log, to: sink, placeIn: folder)
        #expect(sink.stored.count == count + 2)
    }

    @Test("a log that is moved away before the sink can be reached is read from its beginning")
    func movedEarly() async throws {
        let folder = try TestFolder()
        let log = LineRecords(.json, of: folder.file("log").string)
        let sink = MemorySink()
        sink.state.withLock { $0.unready = [ForwardError("the sink is away", .wait)] }
        try folder.shell(#"echo '{"n":1}' >log"#)
        try await forward(log, to: sink, placeIn: folder) { _ in
            _ = try? folder.shell(#"mv log log.1; echo '{"n":2}' >log"#)
        }
        #expect(sink.stored.count == 2)
    }

    @Test("a line that is not finished is left to the run that finds its end")
    func unfinished() async throws {
        let folder = try TestFolder()
        let log = LineRecords(.json, of: folder.file("log").string)
        let sink = MemorySink()
        try folder.shell(#"printf '{"n":1}\n{"n"' >log"#)
        try await forward(log, to: sink, placeIn: folder)
        #expect(sink.stored.count == 1)
        try folder.shell(#"printf ':2}\n{"n":3}\n' >>log"#)
        try await forward(log, to: sink, placeIn: folder)
        let offsets = sink.stored.compactMap { $0.split(separator: ";").first { $0.hasPrefix("offset=") } }
        #expect(offsets == ["offset=8", "offset=16", "offset=24"])
    }

    @Test(
        "a stream is read from where the first run found it, whether anything was stored then or not",
        .enabled(if: access("/usr/sbin/nats-server", X_OK) == 0, "needs nats-server"),
        arguments: ["new", "last"],
        [[], ["journal.a"], ["journal.a", "journal.other"]]
    )
    func stream(from start: String, behind subjects: [String]) async throws {
        let (folder, scene) = (try TestFolder(), try await JetStreamScene())
        let source = try SourceKinds.standard.source("\(scene.server.url)/journal.other?from=\(start)")
        let sink = MemorySink(limits: [0])
        sink.state.withLock { $0.failure = ForwardError("sealed", .end) }
        for subject in subjects {
            _ = try await scene.nats.publishAcknowledged(NATSMessage(subject: subject, payload: [1]))
        }
        try await forward(source, to: sink, placeIn: folder)
        #expect(sink.stored.isEmpty)
        try await scene.storeOthers(2)
        try await forward(source, to: sink, placeIn: folder)
        #expect(sink.stored.count == 2 + (start == "last" && subjects.last == "journal.other" ? 1 : 0))
    }

    @Test("a sink that loses everything gets all from where the source has begun")
    func beginning() throws {
        var base = try #require(ForwardPlace(sequence: 0))
        base.history = ForwardHistory(beginning: nil)
        var progress = ForwardProgress(ForwardBeginning(base), maxEntries: 2)
        #expect(progress.finish(progress.pass("start", size: 10).number, stored: nil)?.place.cursor == "start")
        let done = progress.finish(progress.begin("a", size: 10).number, stored: 1)
        #expect(done?.place.history == ForwardHistory(beginning: "start") && done?.place.cursor == "a")
    }

    @Test("lines of a log are forwarded once over rotations and restarts, from the place in the cursor file")
    func log() async throws {
        let folder = try TestFolder()
        let log = LineRecords(.json, of: folder.file("log").string)
        let sink = MemorySink(limits: [2])
        let filter = try RecordFilter("n > 0", sources: [("shop", .any)])
        func run() async throws { try await forward(log, to: sink, placeIn: folder, matching: filter) }
        sink.state.withLock { $0.failure = ForwardError("sealed", .end) }
        try folder.shell(#"for n in 0 1 2 3 4; do echo "{\"n\":$n}" >>log; done"#)
        try await run()
        #expect(sink.stored.count == 2)
        try folder.shell(#"mv log log.1; echo '{"n":5}' >>log.1; echo '{"n":6}' >log; echo '{"n":0}' >>log"#)
        try await run()
        #expect(sink.stored.count == 6 && Set(sink.stored).count == 6)
        // Also behind the last line, which the filter did not choose.
        let place = try #require(FilePlace(RecordCursors.place(in: try place(in: folder).cursor ?? "")))
        #expect(place.description.contains("offset=16;"))
        try await run()
        #expect(sink.stored.count == 6)
    }

    @Test("a source without places: each record has an id of its own, a file is sent whole; a place of another ends it")
    func live() async throws {
        // The second connection is given other records than the first.
        let sink = MemorySink(limits: [3])
        var request = SourceRequest(name: "ticks", on: worker)
        request.follows = true
        let ticks = try SourceKinds.standard.source("every:1ms")
        let keeper = PlaceKeeper(nil)
        let forwarded = Forwarder(to: sink, from: ticks, request: request, on: worker)
            .forwarded(from: ForwardPlace(), keep: keeper) { _ in }
            .filter { $0 == .stored(isDuplicate: false) }
            .take(first: 5)
        for try await _ in forwarded.values() {}
        let given = sink.state.withLock { $0.given }
        #expect(sink.stored.count >= 5 && given.count > 5 && Set(given).count == given.count)
        #expect(sink.stored.allSatisfy { $0.hasPrefix("run=") })

        let export = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
        try Data("MESSAGE=a\n\nMESSAGE=b\n\n".utf8).write(to: export)
        defer { try? FileManager.default.removeItem(at: export) }
        let stored = MemorySink()
        let file = try SourceKinds.standard.source("export:\(export.path)")
        for try await _ in Forwarder(to: stored, from: file, request: request, on: worker)
            .forwarded(from: ForwardPlace(), keep: keeper, note: { _ in }).values()
        {}
        #expect(stored.stored.count == 2)

        let again = MemorySink(limits: [1])
        for try await _ in Forwarder(to: again, from: Piped(), request: request, on: worker)
            .forwarded(from: ForwardPlace(), keep: keeper, note: { _ in }).values()
        {}
        #expect(again.stored.count == 4)

        let lines = Forwarder(to: sink, from: LineRecords(.lines, of: "/etc/hostname"), request: request, on: worker)
            .forwarded(from: try #require(ForwardPlace(cursor: "s=1;i=2")), keep: keeper) { _ in }
        await #expect(
            throws: ReceiveError<ForwardError>.failed(
                ForwardError(#"ticks: "s=1;i=2" is no place in this source"#, .end)
            )
        ) { for try await _ in lines.values() {} }
    }
}
