import Foundation
import JournalWriter
import TestSupport
import Testing

@Suite("The program lists completions of a word for the shells' completion scripts")
struct CommandLineCompletionTests {
    private static func write(_ values: [String], to path: String) throws {
        var writer = JournalFileWriter(JournalFileForm())
        for (index, value) in values.enumerated() {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(index + 1),
                    realtime: 1_700_000_000_000_000 + UInt64(index),
                    monotonic: UInt64(index + 1),
                    boot: ID128(1, 2),
                    fields: [Array(value.utf8), Array("_BOOT_ID=\(ID128(1, 2))".utf8)]
                )
            )
        }
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: path))
    }

    private static let values = [
        "_SYSTEMD_UNIT=getty@tty1.service", "_SYSTEMD_UNIT=getty@tty2.service", "_SYSTEMD_UNIT=dev-a\\x2db.device",
        "UNIT=getty.target", "SYSLOG_IDENTIFIER=$(touch /tmp/x) y", "SYSLOG_IDENTIFIER=$\u{1B}[2J",
        "OWN_FIELD=1", "_SYSTEMD_USER_UNIT=sound.service", "INVOCATION_ID=\(String(repeating: "7", count: 32))",
    ]

    /// Even a slow machine finds everything.
    private static let patience = ["BUSCTL_RX_COMPLETION_SECONDS": "3600", "TZ": "UTC"]

    private func candidates(_ words: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        try Self.write(Self.values, to: folder.path("a.journal"))
        let words = words.map { $0.replacing("JOURNAL", with: folder.path("a.journal")) }
        let ended = try TailProcess.run(["---complete"] + words, environment: Self.patience)
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        return ended.output.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return parts[0].isEmpty ? "\(parts[1]) \(parts[2])" : parts[0]
        }
    }

    @Test(
        "commands, options and values with a fixed choice",
        arguments: [
            (["t"], ["tail"]), (["help", "e"], ["explore", "explain"]), (["tail", "--no-h"], ["--no-hostname"]),
            (["explain", "--names"], ["--namespace"]), (["tail", "--utc"], ["--utc"]), (["tail", "-F"], ["-F"]),
            (["tail", "--hi"], ["--highlight"]), (["tail", "--conte"], ["--context"]),
            (["tail", "--time-"], ["--time-gap"]),
            (["tail", "-o", "short-f"], ["short-full"]), (["tail", "-oshort-f"], ["-oshort-full"]),
            (["tail", "-fo", "short-f"], ["short-full"]), (["tail", "-fo=short-f"], ["-fo=short-full"]),
            (["tail", "--output=short-f"], ["--output=short-full"]), (["tail", "--color", "al"], ["always"]),
            (["tail", "-p", "er"], ["err"]), (["tail", "-p", "warning..no"], ["warning..notice"]),
            (["tail", "--facility", "auth,l"], ["auth,lpr"] + (0...7).map { "auth,local\($0)" }),
            (["tail", "-n", ""], ["all"]), (["tail", "--from", "ex"], ["export:"]),
            (["tail", "--from", "j"], ["journal", "json:"]),
            (["tail", "--label", "web=li"], ["web=lines:"]),
            (["tail", "-S", "ye"], ["yesterday"]),
            (["tail", "--count", ""], []), (["tail", "priority <= e"], []), (["tail", "--", "--ut"], []),
            (["tail", "--bogus="], []), (["bogus", ""], []),
        ]
    )
    func fixed(words: [String], expected: [String]) throws {
        #expect(try candidates(words) == expected)
    }

    @Test(
        "file names are left to the shell",
        arguments: [
            (["tail", "--file", "a"], ["files "]), (["tail", "-i", "a"], ["files "]),
            (["tail", "--file=a"], ["files --file="]),
            (["tail", "-Da"], ["directories -D"]), (["tail", "--from", "export:a"], ["files export:"]),
            (["tail", "/usr/b"], ["files "]), (["explain", "_PID=1", "+", "/"], ["files "]), (["tail", "// a"], []),
        ]
    )
    func paths(words: [String], expected: [String]) throws {
        #expect(try candidates(words) == expected)
    }

    @Test(
        "values and names of fields come from the journal named earlier, and only those that a terminal can show",
        arguments: [
            (["-u", "getty"], ["getty.target", "getty@tty1.service", "getty@tty2.service"]),
            (["--unit=getty@"], ["--unit=getty@tty1.service", "--unit=getty@tty2.service"]),
            (["-u", "dev"], ["dev-a\\x2db.device"]), (["--user-unit", ""], ["sound.service"]),
            (["-t", "$"], ["$(touch /tmp/x) y"]), (["-F", "OWN"], ["OWN_FIELD"]),
            (["--output-fields", "MESSAGE,OWN"], ["MESSAGE,OWN_FIELD"]), (["--by", "OWN"], ["OWN_FIELD"]),
            (["--by", "uni"], ["unit"]), (["-F", "_K"], []), (["OWN"], ["OWN_FIELD="]),
            (["OWN_FIELD="], ["OWN_FIELD=1"]), (["-b", "a"], ["all"]),
            (["--invocation", ""], [String(repeating: "7", count: 32)]), (["-b", "0"], ["0", "\(ID128(1, 2))"]),
        ]
    )
    func journal(words: [String], expected: [String]) throws {
        #expect(try candidates(["tail", "-i", "JOURNAL"] + words).sorted() == expected)
    }

    @Test("an option may follow -b, whose value is optional")
    func optionAfterBoot() throws {
        #expect(try candidates(["tail", "-b", "--ut"]) == ["--utc"])
        #expect(try candidates(["tail", "-b", "--unit", "x", "--ut"]) == ["--utc"])
        #expect(try candidates(["tail", "--case-sensitive=y"]) == ["--case-sensitive=yes"])
        #expect(try candidates(["tail", "--case-sensitive", "y"]) == [])
    }

    @Test("each command completes the values that its own option has")
    func ownValues() throws {
        #expect(try candidates(["count", "-o", ""]) == ["table", "json", "csv"])
        #expect(try candidates(["tail", "-o", "json-p"]) == ["json-pretty"])
        #expect(try candidates(["tail", "--color", "a"]) == ["auto", "always"])
    }

    @Test("an unreadable journal yields no completions and no message")
    func unreadable() throws {
        #expect(try candidates(["tail", "--file", "/nowhere/a.journal", "-u", ""]) == [])
        #expect(try candidates(["tail", "-D", "/nowhere", "-u", ""]) == [])
    }

    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Completions")

    @Test(
        "bash replaces the part of the word that it completes, and quotes what it would expand",
        arguments: [
            // The words into which bash splits the line.
            (["-u", " ", "getty", "@", "tty1"], ["tty1.service"]),
            (["--unit", "=", "getty", "@", "tty1"], ["tty1.service"]),
            (["-u", " ", "dev"], ["dev-a\\\\x2db.device"]), (["-u", " ", "'dev"], ["dev-a\\x2db.device"]),
            (["-u", " ", "dev-a\\\\x"], ["dev-a\\\\x2db.device"]),
            (["-t", "   ", ""], ["\\$\\(touch\\ /tmp/x\\)\\ y"]), (["OWN_FIELD", "="], ["1"]),
            (["OWN"], ["OWN_FIELD="]),
            (["--no-h"], ["--no-hostname"]), (["--count", " ", ""], []),
            (["--utc", " ", ">", "/etc/mach"], ["/etc/machine-id"]), (["<", " ", "/etc/mach"], ["/etc/machine-id"]),
        ]
    )
    func bash(pieces: [String], expected: [String]) throws {
        let folder = try TemporaryFolder()
        try Self.write(Self.values, to: folder.path("a.journal"))
        let line = [TailProcess.program, " ", "tail", " ", "--file", " ", folder.path("a.journal"), " "] + pieces
        let test = """
            export BUSCTL_RX_COMPLETION_SECONDS=3600
            source "$0"
            compopt() { :; }
            for piece in "$@"; do
                COMP_LINE+=$piece
                [[ $piece == *' '* ]] || COMP_WORDS+=("$piece")
            done
            COMP_POINT=${#COMP_LINE}
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _busctl_rx 2>&1
            for word in "${COMPREPLY[@]}"; do echo "$word"; done
            """
        let result = try Command.run("/bin/bash", ["-c", test, Self.scripts.path + "/busctl-rx.bash"] + line)
        #expect(String(decoding: result.output, as: UTF8.self) == expected.map { $0 + "\n" }.joined())
    }

    @Test(
        "fish offers the same completions",
        .enabled(if: Command.exists("/usr/bin/fish"), "needs fish: apt-get install fish"),
        arguments: [
            ("-u getty@tty", ["getty@tty1.service", "getty@tty2.service"]), ("-u=dev", ["-u=dev-a\\x2db.device"]),
            ("OWN", ["OWN_FIELD="]), ("--no-h", ["--no-hostname"]),
            ("--from export:/etc/mach", ["export:/etc/machine-id"]),
        ]
    )
    func fish(typed: String, expected: [String]) throws {
        let folder = try TemporaryFolder()
        try Self.write(Self.values, to: folder.path("a.journal"))
        let programs = URL(filePath: TailProcess.program).deletingLastPathComponent().path
        let line = "busctl-rx tail --file \(folder.path("a.journal")) \(typed)"
        let result = try Command.run(
            "/usr/bin/env",
            [
                "PATH=\(programs):/usr/bin:/bin", "HOME=\(folder.path(""))", "BUSCTL_RX_COMPLETION_SECONDS=3600",
                "/usr/bin/fish", "-N", "-c",
                "source $argv[1]; complete -C $argv[2]", Self.scripts.path + "/busctl-rx.fish", line,
            ]
        )
        let offered = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map { line in
            String(line.prefix { $0 != "\t" })
        }
        #expect(offered.sorted() == expected)
    }

    @Test(
        "zsh can parse its script",
        .enabled(if: Command.exists("/usr/bin/zsh"), "needs zsh: apt-get install zsh")
    )
    func zsh() throws {
        #expect(try Command.run("/usr/bin/zsh", ["-n", Self.scripts.path + "/_busctl-rx"]).status == 0)
    }
}
