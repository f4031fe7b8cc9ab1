import Foundation
import JournalWriter
import TestSupport
import Testing

/// The defects of journalctl 252. These are tested elsewhere: a follower that does not end at `--until`
/// (`CommandLineChoosingTests`); a follower whose cursor is not saved (`CommandLineCursorTests`); a follower that ends
/// with status 1 when its reader is gone (`CommandLineEndingTests`); SYSTEMD_COLORS that overrides NO_COLOR
/// (`ColorChoiceTests`); damaged files of a directory that are left out without a message
/// (`JournalDamageComparisonTests`).
@Suite("What journalctl gets wrong, busctl-rx tail gets right")
struct CommandLineDefectTests {
    private static let time: UInt64 = 1_700_000_000_123_456
    private let folder: TemporaryFolder

    /// Two entries in each of three boots, the last one with a field of 5000 bytes.
    init() throws {
        folder = try TemporaryFolder()
        var writer = JournalFileWriter(JournalFileForm())
        for number in 1...6 {
            let boot = ID128(UInt64((number + 1) / 2), 1)
            var fields = ["_BOOT_ID=\(boot)", "MESSAGE=number \(number)", "PRIORITY=6", "_HOSTNAME=web"]
            if number == 6 { fields.append("LONG=" + String(repeating: "x", count: 5000)) }
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: Self.time + UInt64(number) * 60_000_000,
                    monotonic: UInt64(number) * 1000,
                    boot: boot,
                    fields: fields.map { Array($0.utf8) }
                )
            )
        }
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("a.journal")))
    }

    private func tail(_ arguments: [String]) throws -> TailProcess.Ended {
        try TailProcess.run(["tail", "-D", folder.path(""), "--no-follow"] + arguments)
    }

    @Test("a follower does not leave out earlier boots")
    func boots() throws {
        let tail = try TailProcess(["tail", "-D", folder.path(""), "-o", "cat", "-n", "all", "--count", "6"])
        #expect(try tail.end().output == (1...6).map { "number \($0)\n" }.joined())
    }

    @Test("a long field is not null in JSON", arguments: ["json", "json-pretty", "json-seq", "json-sse"])
    func long(format: String) throws {
        let output = try tail(["-o", format, "-n", "1"]).output
        #expect(output.contains(String(repeating: "x", count: 5000)) && !output.contains("null"))
    }

    @Test("FIELD=value that nothing has is not success", arguments: [["PRIORITY=3"], ["-g", "none"], ["-u", "none"]])
    func nothing(arguments: [String]) throws {
        #expect(try tail(arguments) == .init(status: 1, output: "", errors: ""))
    }

    @Test("any field can be searched, conditions can be negated, and groups of conditions joined")
    func conditions() throws {
        #expect(try tail(["-o", "cat", "record.LONG =~ 'x{5}'"]).output == "number 6\n")
        #expect(try tail(["-o", "cat", "not (message =~ 'number [2-6]')"]).output == "number 1\n")
        let groups = "message.endsWith('2') and priority == info or has(record.LONG) and host == 'web'"
        #expect(try tail(["-o", "cat", groups]).output == "number 2\nnumber 6\n")
    }

    @Test(
        "a time is parsed as each format writes it",
        arguments: [
            ("short-full", 4), ("short-iso", 1), ("short-iso-precise", 1), ("with-unit", 4), ("verbose", 4),
        ]
    )
    func times(format: String, words: Int) throws {
        let line = try tail(["--utc", "-o", format, "-n", "1"]).output.prefix { !$0.isNewline }
        let time = line.split(separator: " ").prefix(words).joined(separator: " ")
        #expect(try tail(["-S", time, "-o", "cat"]).output == "number 6\n", "\(time)")
    }
}
