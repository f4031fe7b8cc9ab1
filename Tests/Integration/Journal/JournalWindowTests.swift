import Filter
import Foundation
import JournalWriter
import Records
import TestSupport
import Testing

@testable import JournalBridge

/// A query for a span of time reads little else.
@Suite("A journal's entries of some time")
struct JournalWindowTests {
    private static let boot = ID128(1, 2)
    private static let start: UInt64 = 1_700_000_000_000_000
    private static let second: UInt64 = 1_000_000

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter clock: the wall clock's error, in seconds, at each entry; the entries come every second.
    private func write(
        _ name: String,
        _ numbers: Range<Int>,
        state: JournalFileForm.State = .archived,
        clock: (Int) -> Int = { _ in 0 }
    ) throws -> String {
        var form = JournalFileForm()
        form.fileID = ID128(UInt64(numbers.lowerBound), 9)
        form.state = state
        var writer = JournalFileWriter(form)
        for number in numbers {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number + 1),
                    realtime: time(number + clock(number)),
                    monotonic: UInt64(number + 1) * Self.second,
                    boot: Self.boot,
                    fields: ["_BOOT_ID=\(Self.boot)", "MESSAGE=\(number)", "_SYSTEMD_UNIT=u\(number % 50).service"]
                        .map { Array($0.utf8) }
                )
            )
        }
        let path = folder.path(name)
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func time(_ number: Int) -> UInt64 { UInt64(Int(Self.start) + number * Int(Self.second)) }

    private func window(_ first: Int?, _ last: Int?, _ more: String? = nil) throws -> JournalQuery {
        let parts = [
            first.map { "__REALTIME_TIMESTAMP >= \(time($0))" }, last.map { "__REALTIME_TIMESTAMP <= \(time($0))" },
            more,
        ]
        return try JournalQuery.filter(parts.compactMap { $0 }.joined(separator: " && "))
    }

    /// The messages in the order of reading, and how many steps that took, of at most some hundred entries each.
    private func read(
        _ paths: [String],
        _ course: JournalCourse,
        _ query: JournalQuery
    ) throws -> (messages: [String], steps: Int) {
        let reader = try JournalReader(.files(paths), course, query: query)
        var messages: [String] = []
        var steps = 0
        while true {
            steps += 1
            switch try reader.advance() {
            case .entry: messages.append(reader.entry()?["MESSAGE"] ?? "")
            case .gap(let gap): Issue.record("\(gap)")
            case .busy: break
            case .end, .caughtUp: return (messages, steps)
            }
        }
    }

    @Test("reading ends with the last of them, in either direction and with every condition")
    func end() throws {
        let paths = try (0..<3).map { try write("\($0).journal", $0 * 10_000..<($0 + 1) * 10_000) }
        let all = Array(12_000...12_020)
        let courses: [(JournalCourse, String)] = [
            (.onward(from: .head, follow: false), "on"),
            (.onward(from: .time(RecordTime(microseconds: Int64(time(12_000)))), follow: false), "from a time"),
            (.onward(from: .tail(1000), follow: false), "the last"), (.back(JournalRetreat()), "back"),
            (.back(JournalRetreat(from: .time(time(12_020)), since: time(12_000))), "back from a time"),
        ]
        for (course, name) in courses {
            for (more, of) in [
                (nil, 1), ("unit == 'u7.service'", 50), ("unit =~ '^u7'", 50), ("message.endsWith('7')", 10),
            ] {
                let wanted = all.filter { of == 1 || $0 % of == 7 }.map { "\($0)" }
                let (messages, steps) = try read(paths, course, window(12_000, 12_020, more))
                #expect(messages == (course.goesBack ? wanted.reversed() : wanted), "\(name), \(more ?? "all")")
                #expect(steps <= wanted.count + 4, "\(name), \(more ?? "all"): \(steps) steps")
            }
        }
        let (first, steps) = try read(paths, .onward(from: .head, follow: false), window(nil, 9))
        #expect(first == (0...9).map { "\($0)" })
        #expect(steps <= 14)
        let (last, more) = try read(paths, .onward(from: .tail(5), follow: false), window(nil, 15_000))
        #expect(last == (14_996...15_000).map { "\($0)" })
        #expect(more <= 10)
        let (none, fewer) = try read(paths, .onward(from: .head, follow: false), window(-500, -1))
        #expect(none.isEmpty)
        #expect(fewer == 1)
    }

    @Test(
        "no entry is lost where the clock was set",
        arguments: [
            "back", "forward", "back and forth", "back at the end", "at first behind, then set", "many times",
        ]
    )
    func setClock(_ change: String) throws {
        let clock: (Int) -> Int = { number in
            switch change {
            case "back": number < 6000 ? 0 : -5000
            case "forward": number < 6000 ? 0 : 5000
            // Not noticed would be if it lasted for fewer entries than lie between two that are compared.
            case "back and forth": (4000..<6500).contains(number) ? -3000 : 0
            case "back at the end": number < 9999 ? 0 : -5000
            case "at first behind, then set": number < 100 ? -1_000_000 : 0
            default: -(number / 700 % 5) * 900
            }
        }
        let paths = [try write("a.journal", 0..<10_000, clock: clock), try write("b.journal", 10_000..<12_000)]
        for (first, last) in [
            (0, 50), (1000, 1010), (3500, 3600), (5990, 6010), (4990, 5000), (9000, 10_500), (-2000, -1),
        ] {
            let wanted = (0..<12_000).filter { (first...last).contains($0 + ($0 < 10_000 ? clock($0) : 0)) }.map {
                "\($0)"
            }
            let query = try window(first, last)
            #expect(
                try read(paths, .onward(from: .head, follow: false), query).messages == wanted,
                "\(first) to \(last)"
            )
            #expect(
                try read(paths, .back(JournalRetreat()), query).messages == wanted.reversed(),
                "\(first) to \(last)"
            )
        }
    }

    @Test("files that overlap are all read, and entries that are added while it follows")
    func overlap() throws {
        let even = try write("a.journal", 0..<3000)
        let late = try write("b.journal", 3000..<6000, clock: { _ in -2990 })
        let live = try write("c.journal", 6000..<6400, state: .online)
        let (messages, _) = try read([even, late, live], .onward(from: .head, follow: false), window(100, 105))
        #expect(Set(messages) == Set(((100...105).map { $0 }) + (3090...3095).map { $0 }).map { "\($0)" }.asSet)
        let reader = try JournalReader(.files([live]), from: .head, follow: true, query: window(6390, 6450))
        var reading = Reading()
        try reading.drain(reader)
        #expect(reading.messages == (6390..<6400).map { "\($0)" })
        _ = try write("c.journal", 6000..<6500, state: .online)
        try reading.take(from: reader) { $0.entries.count >= 61 }
        try reading.drain(reader)
        #expect(reading.messages == (6390...6450).map { "\($0)" })
    }
}

extension Sequence where Element: Hashable {
    fileprivate var asSet: Set<Element> { Set(self) }
}
