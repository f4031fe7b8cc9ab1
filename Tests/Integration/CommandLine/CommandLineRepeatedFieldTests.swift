import Foundation
import JournalWriter
import TestSupport
import Testing

/// A program may write a field several times in one entry.
@Suite("busctl-rx tail and fields that are there several times")
struct CommandLineRepeatedFieldTests {
    private let folder: TemporaryFolder

    private static let entries = [
        ["TAG=a", "TAG=b", "_PID=1"], ["TAG=b"], ["TAG=b", "TAG=c"], ["TAG=c"], ["_PID=1"], ["TAG=a"],
    ]

    init() throws {
        folder = try TemporaryFolder()
        var writer = JournalFileWriter(JournalFileForm())
        for (number, fields) in Self.entries.enumerated() {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number + 1),
                    realtime: 1_700_000_000_000_000 + UInt64(number),
                    monotonic: UInt64(number + 1),
                    boot: ID128(1, 1),
                    fields: (["MESSAGE=\(number)"] + fields).map { Array($0.utf8) }
                )
            )
        }
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("system.journal")))
    }

    /// From the journal, and from a stream without an index.
    private func selected(_ arguments: [String]) throws -> [TailProcess.Ended] {
        let stream = Self.entries.enumerated().map { number, fields in
            (["MESSAGE=\(number)"] + fields).joined(separator: "\n") + "\n\n"
        }.joined()
        return try [["-D", folder.path("")], ["--from", "export:-"]].map { source in
            try TailProcess.run(["tail", "--no-follow", "-o", "cat"] + source + arguments, input: Data(stream.utf8))
        }
    }

    private static let cases: [(arguments: [String], messages: [Int])] = [
        (["TAG=a"], [0, 5]), (["TAG=b"], [0, 1, 2]), (["TAG=b", "TAG=c"], [0, 1, 2, 3]), (["TAG=b", "_PID=1"], [0]),
        (["TAG=b", "+", "_PID=1"], [0, 1, 2, 4]), (["TAG=c"], [2, 3]), (["TAG=d"], []), (["TAG="], []),
    ]

    @Test("FIELD=value finds any value", arguments: cases)
    func any(arguments: [String], messages: [Int]) throws {
        let output = messages.map { "\($0)\n" }.joined()
        for ended in try selected(arguments) {
            #expect(ended == .init(status: messages.isEmpty ? 1 : 0, output: output, errors: ""))
        }
    }

    @Test(
        "journalctl finds the same",
        .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl: apt-get install systemd"),
        arguments: cases.map(\.arguments)
    )
    func same(arguments: [String]) throws {
        let theirs = try Command.run("/usr/bin/journalctl", ["-D", folder.path(""), "-q", "-o", "cat"] + arguments)
        #expect(try selected(arguments).first?.output == String(decoding: theirs.output, as: UTF8.self))
    }

    @Test(
        "in a filter a field is its first value, and fields() are all",
        arguments: [
            ("TAG == 'b'", [1, 2]), ("TAG == 'a'", [0, 5]), ("'b' in fields('TAG')", [0, 1, 2]),
            ("'a' in fields('TAG') && 'b' in fields('TAG')", [0]), ("!('a' in fields('TAG'))", [1, 2, 3, 4]),
            ("TAG == 'a' && 'b' in fields('TAG')", [0]), ("fields('TAG').size() == 2", [0, 2]),
        ]
    )
    func filters(filter: String, messages: [Int]) throws {
        for ended in try selected([filter]) {
            #expect(ended.output == messages.map { "\($0)\n" }.joined())
            #expect(ended.errors == "")
        }
    }

    @Test("the index is asked for one of several values")
    func index() throws {
        let ended = try TailProcess.run("explain", "TAG=b")
        #expect(ended.output.contains("Filter: \"b\" in fields(\"TAG\")\n"), "\(ended.output)")
        #expect(ended.output.contains("Asked of the index: TAG=b\n"), "\(ended.output)")
        let both = try TailProcess.run("explain", "'a' in fields('TAG') && 'b' in fields('TAG')")
        #expect(both.output.contains("TAG=a") && both.output.contains("TAG=b"), "\(both.output)")
    }
}
