import Foundation
import Glibc
import JournalWriter
import RecordSources
import TestSupport
import Testing

/// Random journals with awkward fields and random command lines, compared with journalctl. `make stress` runs a
/// thousand.
///
/// They are the same in each run. `BUSCTL_RX_SEED` selects others.
@Suite(
    "busctl-rx tail prints what journalctl prints",
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl: apt-get install systemd")
)
struct CommandLineJudgeTests {
    private static let formats = ["json", "export", "cat", "short", "short-iso", "verbose"]
    private static let boots = (1...3).map { ID128(UInt64($0) << 60, 0x8000_0000_0000_0000 + UInt64($0)) }
    private static let start: UInt64 = 1_700_000_000_000_000

    /// Generates a journal and a command line.
    private struct Case {
        var random: SeededGenerator
        /// Whether entries contain the time of their making. They are shown with that time, but found by another.
        let tellsTimes: Bool
        var entries: [JournalFileEntry] = []

        init(seed: UInt64, count: Int? = nil, tellsTimes: Bool? = nil) {
            random = SeededGenerator(seed)
            let isDrawn = random.chance(30)
            self.tellsTimes = tellsTimes ?? isDrawn
            var time = start
            for number in 0..<(count ?? random.number(5..<60)) {
                time += UInt64(random.number(1..<2000)) * 1_000_000
                let boot = boots[min(2, number / 20)]
                entries.append(
                    JournalFileEntry(
                        sequence: UInt64(number + 1),
                        realtime: time,
                        monotonic: UInt64(number % 20 + 1) * 7_000_003,
                        boot: boot,
                        fields: [Array("_BOOT_ID=\(boot)".utf8)] + fields()
                    )
                )
            }
        }

        private mutating func fields() -> [[UInt8]] {
            var fields: [[UInt8]] = []
            func add(_ name: String, _ value: [UInt8]) { fields.append(Array("\(name)=".utf8) + value) }
            let words = ["web one", "link is up", "ERROR: no space", "error", "a\nb", "tab\there", "é€😀", " "]
            if random.chance(95) {
                add(
                    "MESSAGE",
                    random.chance(60) ? Array(random.pick(words).utf8) : random.pick(JournalFormatTests.values)
                )
            }
            for (name, values) in Self.choices where random.chance(60) { add(name, Array(random.pick(values).utf8)) }
            if random.chance(30) { add("OTHER", random.pick(JournalFormatTests.values)) }
            if random.chance(5) { add("BINARY", random.bytes(random.number(1..<200))) }
            if tellsTimes, random.chance(50) {
                let times = ["1600000000000000", "99999999999999999", "abc", "1700000500000000"]
                add("_SOURCE_REALTIME_TIMESTAMP", Array(random.pick(times).utf8))
            }
            return fields.shuffled(using: &random)
        }

        private static let choices: [(String, [String])] = [
            ("PRIORITY", ["0", "2", "3", "4", "6", "7"]), ("SYSLOG_IDENTIFIER", ["nginx", "a b", "sshd", "\u{1}"]),
            ("_SYSTEMD_UNIT", ["nginx.service", "web-1.service", "web-10.service", "srv.mount"]),
            ("_PID", ["1", "10", "11"]), ("_UID", ["0", "33"]), ("SYSLOG_FACILITY", ["0", "3", "16"]),
            ("_TRANSPORT", ["kernel", "syslog"]), ("_SYSTEMD_USER_UNIT", ["sound.service"]),
            ("_HOSTNAME", ["host", "web-1.example"]),
        ]

        /// Zero to three options, each of another kind.
        mutating func arguments() -> [String] {
            var kinds: [[[String]]] = [
                [["-u", "nginx"], ["-u", "web-*"], ["-u", "/srv"], ["-u", "web-?", "-u", "nginx"]],
                [["-p", "err"], ["-p", "warning..crit"], ["-p", "7"]],
                [["-t", "nginx"], ["-t", "a b", "-t", "sshd"]],
                [["--facility", "kern"], ["--facility", "daemon,local0"]],
                [["-b"], ["-b", "-1"], ["-b", "1"], ["-k", "-b", "all"], ["-k", "-b", "2"]],
                [
                    ["_PID=1"], ["_PID=10", "_PID=11"], ["_PID=1", "_UID=0"], ["_PID=1", "+", "_UID=33"],
                    ["SYSLOG_IDENTIFIER=a b"],
                ],
            ]
            // JournalBridge's documentation says where journalctl deliberately selects other entries.
            let places: [[String]] = [
                ["-n", "\(random.number(0..<8))"], ["-g", "error"], ["-g", "ERROR"], ["-g", "^web (one|ten)$"],
            ]
            let times = [
                ["-S", "@\(1_700_000_000 + random.number(0..<60_000))"],
                ["-U", "@\(1_700_000_000 + random.number(0..<60_000))"],
            ]
            kinds.append(tellsTimes ? places : places + times)
            let picked = kinds.shuffled(using: &random).prefix(random.number(0..<4)).flatMap { random.pick($0) }
            return picked.contains("--facility") ? picked.filter { $0 != "+" } : picked
        }

        /// Writes one or two files.
        mutating func write(to folder: TemporaryFolder) throws {
            let cut = random.chance(50) ? entries.count : random.number(1..<entries.count)
            for (name, part) in [("0", entries[..<cut]), ("1", entries[cut...])] where !part.isEmpty {
                var form = JournalFileForm()
                form.fileID = ID128(UInt64(part.count), UInt64(part.startIndex + 1))
                form.isKeyed = random.chance(80)
                form.compression = random.pick([.none, .zstd, .lz4])
                form.compressionThreshold = 64
                var writer = JournalFileWriter(form)
                for entry in part { writer.append(entry) }
                try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("\(name).journal")))
            }
        }
    }

    /// A command line of journalctl, and the equivalent one of busctl-rx.
    struct Equivalents: CustomTestStringConvertible {
        let theirs: [String]
        let ours: [String]

        var testDescription: String { "journalctl \(theirs.joined(separator: " "))" }

        /// The lines of the table whose commands end.
        static let all: [Equivalents] = {
            let article = SampleTests.root.appending(
                path: "Sources/Bridges/Journal/JournalBridge.docc/FromJournalctl.md"
            )
            let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
            return (text.components(separatedBy: "To follow:").first ?? "").split(separator: "\n").compactMap { line in
                let cells = line.replacing("\\|", with: "\u{1}").split(separator: "`").map {
                    CommandWords.split(String($0.replacing("\u{1}", with: "|"))) ?? []
                }
                guard cells.count > 3, cells[1].first == "journalctl", cells[3].starts(with: ["busctl-rx", "tail"])
                else { return nil }
                return Equivalents(theirs: Array(cells[1].dropFirst()), ours: Array(cells[3].dropFirst(2)))
            }
        }()
    }

    @Test("the output is the same for each line of the table for users of journalctl", arguments: Equivalents.all)
    func table(row: Equivalents) throws {
        var drawn = Case(seed: 4, count: 60, tellsTimes: false)
        let folder = try TemporaryFolder()
        try drawn.write(to: folder)
        try compare(row, ["-D", folder.path(""), "--utc"], "")
    }

    @Test("the table has forty lines")
    func tableIsLong() {
        #expect(Equivalents.all.count >= 40)
    }

    @Test("the output is the same byte for byte, and JSON member for member")
    func same() throws {
        let asked = getenv("BUSCTL_RX_SEED").flatMap { UInt64(String(cString: $0)) }
        var shown = 0
        for round in 0..<UInt64(asked == nil ? Stress.rounds(6, stress: 1_000) : 1) where !RunLimit.isOver {
            let seed = (asked ?? 1) &+ round
            var drawn = Case(seed: seed)
            let folder = try TemporaryFolder()
            try drawn.write(to: folder)
            var row = drawn.random.pick(Equivalents.all)
            if drawn.random.chance(70) {
                let arguments = ["-o", drawn.random.pick(Self.formats)] + drawn.arguments()
                row = Equivalents(theirs: arguments, ours: ["--no-follow"] + arguments)
            } else if drawn.tellsTimes, row.theirs.contains(where: { ["-S", "-U", "--since", "--until"].contains($0) })
            {
                continue
            }
            shown += try compare(row, ["-D", folder.path(""), "--utc"], "BUSCTL_RX_SEED=\(seed): ") ? 1 : 0
        }
        if asked == nil { #expect(shown > 1) }
    }

    /// Returns whether anything was shown.
    @discardableResult
    private func compare(_ row: Equivalents, _ common: [String], _ name: String) throws -> Bool {
        let theirs = try Command.run("/usr/bin/journalctl", row.theirs + common).output
        let ours = try TailProcess.run(["tail"] + row.ours + common)
        let expected = comparable(String(decoding: theirs, as: UTF8.self), row.theirs)
        let output = comparable(ours.output, row.theirs)
        let isJSON = row.theirs.contains("json")
        let isSame = isJSON ? try objects(output) == objects(expected) : output == expected
        let difference = difference(output, expected)
        #expect(isSame, "\(name)\(row.theirs.joined(separator: " "))\n\(difference)")
        // A boot that does not exist is reported, and is also an error of journalctl.
        if !ours.errors.contains("boot") { #expect(ours.errors == "", "\(name)\(row.theirs)") }
        #expect(ours.status == (ours.output.isEmpty ? 1 : 0), "\(name)\(row.theirs)")
        return !expected.isEmpty
    }

    /// Without the message for no match, and without the lines between boots, which journalctl also writes for entries
    /// that -g rejects.
    private func comparable(_ text: String, _ arguments: [String]) -> String {
        var lines = text.components(separatedBy: "\n")
        if arguments.contains("-g") { lines.removeAll { $0.hasPrefix("-- Boot ") } }
        return lines == ["-- No entries --", ""] ? "" : lines.joined(separator: "\n")
    }

    /// The first lines that differ.
    private func difference(_ ours: String, _ theirs: String) -> String {
        let lines = [ours, theirs].map { $0.components(separatedBy: "\n") }
        let shorter = min(lines[0].count, lines[1].count)
        let place = (0..<shorter).first { lines[0][$0] != lines[1][$0] } ?? shorter
        return lines.map { place < $0.count ? $0[place].debugDescription : "nothing" }.joined(separator: "\n")
    }

    private func objects(_ lines: String) throws -> [NSDictionary] {
        try lines.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
        }
    }
}
