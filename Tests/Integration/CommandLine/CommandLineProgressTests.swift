import Foundation
import Glibc
import JournalBridge
import JournalWriter
import TestSupport
import Testing

@Suite("busctl-rx says on a terminal how far the search of a journal has come")
struct CommandLineProgressTests {
    /// A journal whose search takes long, for the filter takes long.
    private struct Place {
        /// Takes ten seconds on one thread, so that a faster machine still takes some.
        static let slow = repeated(4)

        /// Takes half a minute on one thread: `count` takes all of the machine's.
        static let slowForAll = repeated(12)

        private static func repeated(_ times: Int) -> String { "\(Array(1...times)).all(c, \(all)) and pid < 0" }

        static let all = "[1, 2, 3, 4, 5, 6, 7, 8].all(a, [1, 2, 3, 4, 5, 6, 7, 8].all(b, a + b + pid > pid))"

        private static let journal: Data = {
            var writer = JournalFileWriter(JournalFileForm())
            for number in 1...60_000 {
                writer.append(
                    JournalFileEntry(
                        sequence: UInt64(number),
                        realtime: 1_700_000_000_000_000 + UInt64(number),
                        monotonic: UInt64(number),
                        boot: ID128(1, 1),
                        fields: [Array("MESSAGE=\(number)".utf8), Array("_PID=\(number)".utf8)]
                    )
                )
            }
            return Data(writer.bytes())
        }()

        let folder: TemporaryFolder
        let terminal: Terminal

        init() throws {
            folder = try TemporaryFolder()
            terminal = try Terminal()
            try Self.journal.write(to: URL(fileURLWithPath: folder.path("slow.journal")))
        }

        func start(
            _ command: String,
            _ options: [String] = [],
            filter: String = slow,
            output: TailProcess.Stream? = nil,
            errors: TailProcess.Stream? = nil,
            terminal name: String = "xterm"
        ) throws -> TailProcess {
            try TailProcess(
                [command, "-D", folder.path("")] + options + [filter],
                output: output ?? .file(terminal.path),
                errors: errors ?? .file(terminal.path),
                environment: ["LANG": "C", "TZ": "UTC", "TERM": name, "SYSTEMD_PAGER": ""]
            )
        }

        /// Reads the terminal until this text has come.
        func read(from run: TailProcess, until text: String, _ before: String = "") throws -> String {
            var all = before
            while !all.contains(text) {
                let isOver = !run.isRunning || RunLimit.isOver
                run.keepWaiting(seconds: 0.02)
                all += terminal.read()
                if isOver, !all.contains(text) {
                    throw Command.Failure(description: "no \(text) in \(all.debugDescription)")
                }
            }
            return all
        }
    }

    /// What a terminal shows in the end.
    private func shown(_ written: String) -> String {
        var lines = [""]
        for part in written.replacing("\r\n", with: "\n").replacing("\r\u{1B}[K", with: "\u{0}") {
            switch part {
            case "\n": lines.append("")
            case "\u{0}", "\r": lines[lines.count - 1] = ""
            default: lines[lines.count - 1].append(part)
            }
        }
        return lines.joined(separator: "\n").replacing("\u{1B}[K", with: "")
    }

    private static let runs =
        [("tail", ["--no-follow"]), ("tail", ["-r"]), ("count", [])]
        + (Stress.isAsked ? [("tail", ["-f", "-n", "all"]), ("tail", ["-n", "5", "--template", "{message}"])] : [])

    @Test("a line says so, which goes when something else is written, and at the end", arguments: runs)
    func line(command: String, options: [String]) throws {
        let place = try Place()
        let run =
            command == "count"
            ? try place.start(command, options, filter: Place.slowForAll)
            : try place.start(command, options + ["--threads", "1", "--stats"])
        var written = try place.read(from: run, until: " left\u{1B}[K")
        let line = written.components(separatedBy: "\r").last { $0.hasSuffix(" left\u{1B}[K") } ?? ""
        #expect(line.hasPrefix("busctl-rx: searched ") && line.contains(" %, about "), "\(line.debugDescription)")
        if command == "tail" {
            run.send(SIGUSR1)
            written = try place.read(from: run, until: "busctl-rx: elapsed=", written)
            #expect(written.contains("\r\u{1B}[Kbusctl-rx: elapsed="), "\(written.debugDescription)")
            written = try place.read(from: run, until: " left\u{1B}[K", "")
        }
        run.send(SIGINT)
        #expect(try run.end().status == -SIGINT)
        let left = shown(written + place.terminal.read()).split(separator: "\n")
        #expect(left.allSatisfy { !$0.contains("searched") }, "\(left)")
    }

    @Test("entries are shown in its place")
    func entries() throws {
        let place = try Place()
        let filter = "\(Place.all) and pid % 2000 == 0"
        let run = try place.start("tail", ["--no-follow", "-ocat", "--count", "5"], filter: filter)
        var written = ""
        // A terminal that nobody reads fills up.
        while run.isRunning, !RunLimit.isOver {
            run.keepWaiting(seconds: 0.01)
            written += place.terminal.read()
        }
        #expect(try run.end().status == 0)
        #expect(shown(written + place.terminal.read()) == "2000\n4000\n6000\n8000\n10000\n")
    }

    @Test("a file may get what is found meanwhile")
    func file() throws {
        let place = try Place()
        let path = place.folder.path("found")
        try Data().write(to: URL(fileURLWithPath: path))
        let run = try place.start("tail", ["--no-follow", "--threads", "1"], output: .file(path))
        _ = try place.read(from: run, until: " left\u{1B}[K")
        run.send(SIGTERM)
        #expect(try run.end().status == -SIGTERM)
        #expect(place.terminal.read().hasSuffix("\r\u{1B}[K"))
    }

    @Test("elsewhere nothing is said of it")
    func elsewhere() throws {
        let place = try Place()
        let alone = ["--no-follow", "--threads", "1"]
        let runs = try [
            place.start("tail", alone, errors: .pipe), place.start("tail", alone, output: .pipe),
            place.start("tail", alone, terminal: "dumb"),
            place.start("tail", ["--exec", "true"]),
            place.start("count", [], filter: Place.slowForAll, output: .pipe, errors: .pipe),
        ]
        // Longer than it takes where it is said.
        runs.first?.keepWaiting(seconds: 2)
        for run in runs { run.send(SIGINT) }
        for run in runs {
            // It may have come to the end before the signal, and `count` tells its number in either case.
            let end = try run.end()
            #expect(!end.output.contains("searched") && end.errors == "", "\(end)")
        }
        #expect(place.terminal.read() == "")
    }
}
