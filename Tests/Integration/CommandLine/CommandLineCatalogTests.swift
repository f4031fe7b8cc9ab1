import Foundation
import Testing

@Suite(
    "busctl-rx tail -x shows what the message catalogue says",
    .enabled(
        if: SyntheticJournal.isAvailable && FileManager.default.fileExists(atPath: "/var/lib/systemd/catalog/database"),
        "needs journalctl, systemd-journal-remote and journalctl --update-catalog"
    )
)
struct CommandLineCatalogTests {
    private static let started = "39f53479d3a045ac8e11786248231fbf"
    private static let failed = "be02cf6855d2428ba40df7e9d022f03d"
    private static let hostile = "a\u{1B}[2Jb\u{9B}c\u{202E}d\n\te\r"

    private static func journal() throws -> SyntheticJournal {
        let entries: [[(String, [UInt8])]] = [
            [("MESSAGE_ID", Array(started.utf8)), ("UNIT", Array("a.service".utf8)), ("JOB_ID", Array("7".utf8))],
            // Without a field, with a field that is too long, with one just short enough, and with control characters.
            [("MESSAGE_ID", Array(failed.utf8)), ("UNIT", [UInt8](repeating: 0x78, count: 4092))],
            [("MESSAGE_ID", Array(failed.utf8)), ("UNIT", [UInt8](repeating: 0x78, count: 4091))],
            [
                ("MESSAGE_ID", Array(failed.utf8)), ("UNIT", Array(hostile.utf8)),
                ("JOB_RESULT", [0xFF, 0x40, 0, 0x61]),
            ],
            [("MESSAGE_ID", Array(started.uppercased().utf8)), ("UNIT", Array("@JOB_ID@".utf8)), ("UNIT", [0x62])],
            [("MESSAGE_ID", Array("39f53479-d3a0-45ac-8e11-786248231fbf".utf8)), ("UNIT", [])],
            [("MESSAGE_ID", Array("39f53479-d3a0-45ac-8e11=786248231fbf".utf8))],
            [("MESSAGE_ID", Array("no id".utf8))],
            [("MESSAGE_ID", Array(String(repeating: "0", count: 31).utf8 + [0x31]))],
            [("OTHER", [0x61])],
        ]
        let silent = [("MESSAGE_ID", Array(started.utf8)), ("UNIT", Array("without a message".utf8))]
        return try SyntheticJournal(
            entries.enumerated().map { [("MESSAGE", Array("entry \($0.offset)".utf8))] + $0.element } + [silent]
        )
    }

    private static func theirs(_ journal: SyntheticJournal, _ environment: [String], _ format: String) throws -> String
    {
        let command = ["TZ=UTC", "journalctl", "--file", journal.path, "-q", "-x", "-o", format]
        return String(decoding: try Command.run("/usr/bin/env", environment + command).output, as: UTF8.self)
    }

    private func ours(
        _ journal: SyntheticJournal,
        _ environment: [String: String],
        _ arguments: String...
    ) throws -> String {
        let ended = try TailProcess.run(
            ["tail", "--file", journal.path, "--no-follow"] + arguments,
            environment: environment.merging(["TZ": "UTC"]) { own, _ in own }
        )
        #expect(ended.errors == "" && ended.status == 0)
        return ended.output
    }

    @Test(
        "the text is below its entry, as in journalctl, byte for byte",
        arguments: [
            "short", "short-precise", "short-iso", "short-full", "short-unix", "short-monotonic", "short-delta",
            "with-unit", "verbose",
        ]
    )
    func lines(format: String) throws {
        let journal = try Self.journal()
        let plain = try ours(journal, ["LANG": "C"], "-x", "-o", format)
        #expect(try plain == Self.theirs(journal, ["LANG=C"], format))
        #expect(plain.split(separator: "\n").count { $0.hasPrefix("-- Subject: ") } >= 6, "\(plain)")
    }

    @Test(
        "with the mark that the locale can represent",
        arguments: [
            ["LANG": "C.UTF-8"], ["LC_ALL": "xx_YY", "LANG": "C"], [:], ["LC_CTYPE": "C"], ["LC_CTYPE": "POSIX"],
        ]
    )
    func marks(environment: [String: String]) throws {
        let journal = try Self.journal()
        let unset = ["-u", "LANG", "-u", "LC_ALL", "-u", "LC_CTYPE", "-u", "LANGUAGE"]
        let theirs = try Self.theirs(journal, unset + environment.map { "\($0.key)=\($0.value)" }, "short")
        #expect(try ours(journal, environment, "--catalog") == theirs)
    }

    @Test("the colours are journalctl's")
    func colors() throws {
        let journal = try Self.journal()
        let theirs = try Self.theirs(journal, ["LANG=C", "SYSTEMD_COLORS=1"], "short")
        #expect(try ours(journal, ["LANG": "C"], "-x", "--color", "always") == theirs)
        #expect(theirs.contains("\u{1B}[0;32mSubject: "))
    }

    @Test("formats for programs have no catalogue texts", arguments: ["json", "json-pretty", "export", "cat"])
    func others(format: String) throws {
        let journal = try Self.journal()
        #expect(try ours(journal, [:], "-x", "-o", format) == ours(journal, [:], "-o", format))
    }

    @Test("the entries of a stream and of several sources have texts, too")
    func sources() throws {
        let entry = [
            ("MESSAGE", Array("entry".utf8)), ("MESSAGE_ID", Array(Self.started.utf8)),
            ("UNIT", Array("a.service".utf8)),
        ]
        for more in [[], ["--rate", "1/s"], ["--after-context", "1", "true"]] {
            let arguments = ["tail", "--from", "export:-", "-x"] + more
            let ended = try TailProcess.run(arguments, input: SyntheticJournal.export([entry]))
            #expect(ended.errors == "" && ended.status == 0)
            #expect(
                ended.output.contains("entry\n-- Subject: A start job for unit a.service has finished successfully\n"),
                "\(ended.output)"
            )
        }
    }

    @Test("no field in a text sends a control sequence to a terminal", arguments: ["short", "verbose"])
    func harmless(format: String) throws {
        let journal = try Self.journal()
        let arguments = ["tail", "--file", journal.path, "--no-follow", "-x", "-o", format, "-n", "8"]
        let ended = try TailProcess(arguments, output: .terminal).end()
        #expect(ended.status == 0)
        #expect(ended.output.contains(#"for unit a\x1b[2Jb\u009bc\u202ed"# + "\n-- \te\\x0d has failed\n"), "\(ended)")
        let active = ended.output.unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" && $0 != "\t" || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E
        }
        #expect(active.isEmpty)
    }
}
