import Bus
import Filter
import FilterBridge
import Foundation
import JournalBridge
import Records
import TestSupport
import Testing

@testable import RecordSources

/// A folder with log files, which is removed with the test.
private final class LogFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bus-sources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a new file.
    func file(_ name: String, _ lines: String...) throws -> String {
        let path = "\(path)/\(name)"
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        return path
    }
}

/// `numbers:3`, or with `--from-end` from the last one to the first.
private struct Numbers: RecordSource, OptionedSource {
    static let spellings = [
        SourceSpelling("numbers", operand: "COUNT", example: "numbers:3", summary: "the first numbers")
    ]

    static var options: [SourceOption] {
        [
            .flag("--from-end", help: "Count down.", advice: "Give --from numbers:3, too.") { (source: inout Numbers) in
                source.isDown = true
            },
            .value(
                "--step",
                of: "number",
                help: "Skip numbers.",
                advice: "Give --from numbers:3, too.",
                read: { (text) throws(SourceArgumentError) in
                    guard let step = Int(text), step > 0 else { throw SourceArgumentError("write a number above 0") }
                    return step
                },
                set: { (source: inout Numbers, step: Int) in source.step = step }
            ),
        ]
    }

    let word: String
    let count: Int
    var isDown = false
    var step = 1

    init(word: String, operand: String) throws(SourceArgumentError) {
        guard let count = Int(operand), count > 0 else {
            throw SourceArgumentError("write a number above 0, as in numbers:3")
        }
        (self.word, self.count) = (word, count)
    }

    var fields: RecordKind { .fields(["number": .int]) }

    func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let numbers = Array(stride(from: 0, to: count, by: step))
        return Signals.from(isDown ? numbers.reversed() : numbers)
            .records(named: request.name) { RecordFields(message: "\($0)", ["number": .int(Int64($0))]) }
            .promoteFailure(to: SourceError.self)
            .items(request)
    }
}

@Suite("Sources of records")
struct RecordSourcesTests {
    private func all(_ records: AnySignal<Record, SourceError>) async throws -> [String] {
        var messages: [String] = []
        for try await record in records.values() { messages.append(record.message ?? "?") }
        return messages
    }

    @Test("a file of JSON, filtered; a line that is none is told of")
    func json() async throws {
        let folder = try LogFolder()
        let path = try folder.file("a.json", #"{"msg":"a","n":1}"#, "plain", #"{"msg":"b","n":2}"#)
        let notes = Heard<SourceNote>()
        let records = try Signals.records(
            from: "json:\(path)",
            matching: "n >= 2",
            follow: false,
            note: notes.append
        )
        #expect(try await all(records) == ["b"])
        #expect(notes.values == [.malformed(line: 2)])
    }

    @Test("a line of more than 1 MiB comes in pieces, which is told once, and the format is not blamed")
    func longLines() async throws {
        let folder = try LogFolder()
        let long = #"{"msg":"\#(String(repeating: "x", count: 1_500_000))"}"#
        let path = try folder.file("a.json", #"{"msg":"a"}"#, long, #"{"msg":"b"}"#, long, "plain")
        func read(_ start: SourceRequest.Start) async throws -> (lengths: [Int], notes: [SourceNote]) {
            let notes = Heard<SourceNote>()
            let records = try Signals.records(from: "json:\(path)", start: start, follow: false, note: notes.append)
            return (try await all(records).map(\.utf8.count), notes.values)
        }
        func told(_ line: String) -> SourceNote {
            .message(
                "\(line) is longer than 1 MiB, and comes in pieces, each a record; further such lines are not reported"
            )
        }
        let rest = long.utf8.count - 1 << 20
        let whole = try await read(.all)
        #expect(whole.lengths == [1, 1 << 20, rest, 1, 1 << 20, rest, 5])
        #expect(whole.notes == [told("line 2"), .malformed(line: 5)])
        let last = try await read(.last(2))
        #expect(last.lengths.suffix(2) == [rest, 5] && last.notes.first == told("a line"))
    }

    @Test("how many old records there are: all, the last ones, the last ten when followed")
    func starts() async throws {
        let folder = try LogFolder()
        let path = try folder.file("log", "a", "b", "c")
        func read(_ start: SourceRequest.Start) async throws -> [String] {
            try await all(Signals.records(from: "lines:\(path)", start: start, follow: false))
        }
        #expect(try await read(.all) == ["a", "b", "c"])
        #expect(try await read(.last(2)) == ["b", "c"])
        #expect(try await read(.recent(1)) == ["a", "b", "c"])
        let followed = try Signals.records(from: "lines:\(path)", start: .recent(1)).take(first: 1)
        #expect(try await all(followed.eraseToAnySignal()) == ["c"])
    }

    @Test("what is written to a followed file comes, too")
    func follows() async throws {
        let folder = try LogFolder()
        let path = try folder.file("log", "a")
        let (messages, told) = (Heard<String>(), Latch())
        let handle = try Signals.records(from: "lines:\(path)", matching: "message != 'x'").subscribe(
            next: { record in
                messages.append(record.message ?? "?")
                if record.message == "a" {
                    // The end of what was there is not known yet; either way the line comes once.
                    let file = FileHandle(forWritingAtPath: path)
                    _ = try? file?.seekToEnd()
                    try? file?.write(contentsOf: Data("x\nb\n".utf8))
                    try? file?.close()
                }
                if record.message == "b" { told.open() }
            },
            failed: { messages.append("\($0)") }
        )
        told.wait()
        handle.dispose()
        #expect(messages.values == ["a", "b"])
    }

    @Test("the beginning of a file is a place, also of one that comes later")
    func beginning() throws {
        let folder = try LogFolder()
        let path = folder.path + "/log"
        var request = SourceRequest(name: "log")
        request.start = .all
        request.tellsPlaces = true
        let (items, told) = (Heard<String>(), Latch())
        let handle = LineRecords(.lines, of: path).items(request).subscribe(
            next: { item in
                switch item {
                case .caughtUp: _ = try? folder.file("log", "a")
                case .record(let record): items.append(record.message ?? "?")
                case .place(let place):
                    items.append("\(place.split(separator: ";")[1])")
                    if place.contains("offset=2;") { told.open() }
                }
            },
            failed: { items.append("\($0)") }
        )
        told.wait()
        handle.dispose()
        #expect(items.values == ["offset=0", "a", "offset=2"])
    }

    @Test("only the times that are wanted")
    func times() async throws {
        let folder = try LogFolder()
        let path = try folder.file("log", "2026-11-23T10:00:00Z a", "2026-11-23T10:00:01Z b", "2026-11-23T10:00:02Z c")
        let since = try #require(RecordTime(written: "2026-11-23 10:00:01 UTC"))
        let records = try Signals.records(from: "lines:\(path)", since: since, follow: false)
        #expect(try await all(records).map { $0.suffix(1) } == ["b", "c"])
    }

    @Test("several sources in the order of their times, by their names")
    func several() async throws {
        let folder = try LogFolder()
        let first = try folder.file(
            "a.json",
            #"{"time":"2026-11-23T10:00:00Z","msg":"1"}"#,
            #"{"time":"2026-11-23T10:00:02Z","msg":"3"}"#
        )
        let second = try folder.file("b", "2026-11-23T10:00:01Z 2", "2026-11-23T10:00:03Z 4")
        let sources = [
            NamedSource("a", LineRecords(.json, of: first)), NamedSource("b", LineRecords(.lines, of: second)),
        ]
        let records = try Signals.records(from: sources, matching: "source == 'a' || message.endsWith('2')") {
            request in
            request.follows = false
        }
        #expect(try await all(records).map { $0.suffix(1) } == ["1", "2", "3"])
        #expect(throws: (any Error).self) { try Signals.records(from: sources, matching: "nothing.there ==") }
    }

    @Test("a child's output")
    func child() async throws {
        let records = try Signals.records(from: "run:sh -c 'echo out; echo err >&2'", matching: "stream == 'output'")
        #expect(try await all(records) == ["out"])
    }

    @Test("a source that is not there fails with its name")
    func failures() async throws {
        let records = try Signals.records(from: "json:/nothing/there", follow: false)
        do {
            _ = try await all(records)
            Issue.record("it did not fail")
        } catch ReceiveError<SourceError>.failed(let failure) {
            #expect(failure.source == "json" && failure.reason.contains("/nothing/there"))
        }
    }

    @Test("what is not a file is refused with the command that reads it")
    func streams() async throws {
        let folder = try LogFolder()
        let fifo = folder.path + "/a b"
        #expect(mkfifo(fifo, 0o600) == 0)
        for (path, reason) in [
            (fifo, "\(fifo) is a FIFO, not a file. Read it with: busctl-rx … --from lines:- < '\(fifo)'"),
            ("/dev/null", "/dev/null is a device, not a file. Read it with: busctl-rx … --from lines:- < /dev/null"),
        ] {
            let error = await #expect(throws: ReceiveError<SourceError>.self) {
                try await all(Signals.records(from: "lines:\(path)", follow: false))
            }
            #expect(error == .failed(SourceError(of: "lines", reason)))
        }
    }

    private static let wrong: [(String, String)] = [
        ("jsn:a", "did you mean json:a?"), ("json", "'json' needs something behind it, as in json:/var/log/app.json"),
        ("every:0s", "more than nothing"), ("signals:TERM", "INT and TERM"), ("calendar:x", "systemd.time(7)"),
        ("run:'", "a quote is left open"), ("dbus:x", "write system, session"), ("nats:x", "nats://"),
        ("ssh:-x", "a host that ssh knows"), ("https:x", "systemd-journal-gatewayd"),
        ("unix:nobody", "no program here"), ("nat://u:a secret@h/x", "did you mean nats://h/x?"),
        ("bogus", "write a kind of source"),
    ]

    @Test("a source that is wrongly typed is refused with advice", arguments: wrong)
    func mistakes(text: String, part: String) {
        let error = #expect(throws: SourceArgumentError.self) { try SourceKinds.standard.source(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("every kind has an example that is read as it is spelt")
    func examples() throws {
        let words = SourceKinds.standard.spellings.map(\.word)
        #expect(Set(words).count == words.count)
        for spelling in SourceKinds.standard.spellings {
            let source = try SourceKinds.standard.source(
                spelling.example.filter { $0 != "'" || spelling.word == "run" }
            )
            #expect(source.word == spelling.word)
            #expect(source.spelling.summary == spelling.summary)
            try source.check()
        }
    }

    @Test("names: given ones are kept and must differ, others get a number")
    func names() throws {
        let json = LineRecords(.json, of: "a")
        let sources = try NamedSource.all([(nil, json), (nil, json), ("json-2", json), (nil, JournalRecords(.system))])
        #expect(sources.map(\.name) == ["json", "json-3", "json-2", "journal"])
        #expect(throws: SourceArgumentError("Two sources are called 'a'. Give each a name of its own.")) {
            try NamedSource.all([("a", json), ("a", json)])
        }
    }

    @Test("whatever is typed is read or refused, and never crashes")
    func hostile() throws {
        var random = SeededGenerator(43)
        let examples = SourceKinds.standard.spellings.map(\.example)
        let pieces = [
            ":", "//", "?", "@", "[", "]", "%", "%2", "\0", "ü", "'", "\"", "\\", "-", ".", ">", "*", " ", "\n", "=",
            "&", "9999999999999999999999",
        ]
        let filter = try RecordFilter(
            "message == 'x' && severity <= err",
            sources: [("a", .journal), ("b", .dbusMessages)]
        )
        for _ in 0..<5000 {
            var bytes = Array((examples.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
                if Bool.random(using: &random), !bytes.isEmpty {
                    bytes.removeSubrange(0..<Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            guard let source = try? SourceKinds.standard.source(String(decoding: bytes, as: UTF8.self)) else {
                continue
            }
            _ = (
                source.name, source.fields, source.traits, source.path, source.spelling,
                source.question(filter, named: "a")
            )
            try? source.check()
        }
    }

    // MARK: A kind of one's own

    private let kinds = SourceKinds.standard.adding(Numbers.self)

    @Test("a kind of one's own is typed, filtered and listed as the others")
    func own() async throws {
        #expect(kinds.spellings.last?.word == "numbers")
        let odd = try Signals.records(from: "numbers:6", matching: "number % 2 == 1", of: kinds)
        #expect(try await all(odd) == ["1", "3", "5"])
        let error = #expect(throws: SourceArgumentError.self) { try kinds.source("numbers:x") }
        #expect(error?.description == "write a number above 0, as in numbers:3")
        #expect(throws: SourceArgumentError.self) { try SourceKinds.standard.source("numbers:3") }
    }

    @Test("options are read once and set on the sources that have them, and none is missing")
    func options() async throws {
        let standard = SourceKinds.standard
        #expect(Set(standard.options.map(\.name)) == Set(SourceKinds(standard.types).options.map(\.name)))
        let (down, step) = (
            try #require(kinds.options.first { $0.name == "--from-end" }), try #require(kinds.options.last)
        )
        let numbers = try kinds.source("numbers:5")
        let journal = try kinds.source("journal")
        #expect(down.isOption(of: numbers) && !down.isOption(of: journal))
        let settings = [try down.setting(""), try step.setting("2")]
        let set = settings.reduce(numbers) { $1($0) }
        #expect(try await all(Signals.records(from: [NamedSource("n", set)])) == ["4", "2", "0"])
        #expect(settings.reduce(journal) { $1($0) } is JournalRecords)
        #expect(throws: SourceArgumentError("write a number above 0")) { try step.setting("0") }
    }

    @Test("a word of a kind that is added takes the place of the same one")
    func replacing() throws {
        struct Other: RecordSource {
            static let spellings = [SourceSpelling("json", operand: "X", example: "json:x", summary: "mine")]
            let word = "json"
            init(word: String, operand: String) throws(SourceArgumentError) {}
            var fields: RecordKind { .any }
            func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
                Signals.fail(request.failure("none")).eraseToAnySignal()
            }
        }
        let kinds = SourceKinds.standard.adding(Other.self)
        #expect(try kinds.source("json:a") is Other)
        #expect(kinds.spellings.filter { $0.word == "json" }.map(\.summary) == ["mine"])
    }
}
