import Foundation
import Glibc
import JournalWriter
import TestSupport
import Testing

/// The command on a terminal that tmux draws, with files of a journal.
@Suite("busctl-rx explore on a terminal")
struct ExploreTerminalTests {
    private static let hour: UInt64 = 3_600_000_000
    private static let begin: UInt64 = 1_700_000_000_000_000

    /// So many entries, ten minutes apart, each third an error of another unit.
    private static func journal(_ count: Int, message: (Int) -> String = { "message \($0)" }) -> Data {
        var writer = JournalFileWriter(JournalFileForm())
        for number in 1...count {
            let isError = number % 3 == 0
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: begin + UInt64(number) * hour / 6,
                    monotonic: UInt64(number),
                    boot: ID128(0, 1),
                    fields: [
                        "MESSAGE=\(message(number))", "PRIORITY=\(isError ? 3 : 6)", "SYSLOG_IDENTIFIER=web",
                        "_SYSTEMD_UNIT=\(isError ? "db.service" : "web.service")", "_PID=\(number % 5 + 1)",
                    ].map { Array($0.utf8) }
                )
            )
        }
        return Data(writer.bytes())
    }

    /// Begins to look at the entries.
    private func look(_ terminal: TmuxTerminal, at journal: Data, _ arguments: String = "") throws {
        try journal.write(to: URL(fileURLWithPath: "\(terminal.folder)/a.journal"))
        try terminal.run("'\(TmuxTerminal.program("busctl-rx"))' explore --utc --file a.journal \(arguments) 2>errors")
    }

    @Test(
        "shows all parts, and leaves the terminal as it was, on terminals of any type and size",
        arguments: ["xterm-256color", "vt100"],
        [(80, 24), (300, 100), (40, 10)]
    )
    func sizes(type: String, size: (columns: Int, rows: Int)) async throws {
        let terminal = try TmuxTerminal(columns: size.columns, rows: size.rows, type: type)
        try look(terminal, at: Self.journal(300), "--no-follow")
        await until { terminal.lines.first?.hasPrefix("300 records") == true }
        await until { terminal.lines.contains { $0.hasPrefix("Nov 17 00:13:20 web[1]: message 300") } }
        try terminal.type("f")
        await until { terminal.lines.contains { $0.hasSuffix("unit (2)") } }
        try terminal.type("q")
        await until { terminal.status == 0 }
        #expect(terminal.settings.before == terminal.settings.after)
        #expect(terminal.read("errors") == "")
    }

    @Test("what is chosen is what the command that it shows selects")
    func command() async throws {
        let terminal = try TmuxTerminal(columns: 120, rows: 40)
        try look(terminal, at: Self.journal(300), "--no-follow")
        await until { terminal.lines.first?.hasPrefix("300 records") == true }
        // The first value of the first field.
        try terminal.type("f")
        await until { terminal.lines.contains { $0.contains("web.service") && $0.hasSuffix("200  67%") } }
        try terminal.type("Down", "Enter")
        await until { terminal.lines.first?.hasPrefix("200 records") == true }
        try terminal.type("f", "/")
        try terminal.send(" && pid <= 2")
        await until { terminal.lines.first?.hasPrefix("80 records") == true }
        try terminal.type("Enter", "c")
        await until { terminal.lines.contains { $0.hasPrefix("busctl-rx tail") } }
        let shown = try #require(terminal.lines.first { $0.hasPrefix("busctl-rx tail") })
        #expect(shown == #"busctl-rx tail --file a.journal --no-follow 'unit == "web.service" && pid <= 2'"#)
        try terminal.type("w", "C-u")
        try terminal.send("cat written")
        try terminal.type("Enter")
        await until { terminal.lines.contains { $0.hasSuffix("bytes are written") } }
        #expect(terminal.read("written").split(separator: "\n").count == 80)
        try terminal.type("q")
        await until { terminal.status == 0 }
        let program = TmuxTerminal.program("busctl-rx")
        try terminal.run("'\(program)'" + shown.dropFirst("busctl-rx".count) + " -o cat >again")
        await until { terminal.read("again") == terminal.read("written") }
    }

    @Test("a file that cannot be written to its end has a part, which is said")
    func limited() async throws {
        let terminal = try TmuxTerminal(columns: 120, rows: 40)
        let long = String(repeating: "x", count: 1000)
        try Self.journal(5000) { "\(long) \($0)" }.write(to: URL(fileURLWithPath: "\(terminal.folder)/a.journal"))
        let program = TmuxTerminal.program("busctl-rx")
        // Without the signal, what goes beyond the limit is refused: 2 or 4 MB, which is enough for a sanitizer's own files.
        try terminal.run(
            "(trap '' XFSZ; ulimit -f 4096; '\(program)' explore --utc --file a.journal --no-follow 2>errors)"
        )
        await until { terminal.lines.first?.hasPrefix("5,000 records") == true }
        try terminal.type("w", "C-u")
        try terminal.send("cat existing")
        try terminal.write("existing", "as it was")
        try terminal.type("Enter")
        await until { terminal.lines.contains { $0.hasPrefix("cannot make the file existing") } }
        try terminal.type("w", "C-u")
        try terminal.send("export written")
        try terminal.type("Enter")
        await until { terminal.lines.contains { $0.hasPrefix("cannot write written") } }
        try terminal.type("q")
        await until { terminal.status == 0 }
        #expect(terminal.read("existing") == "as it was" && !terminal.read("written").isEmpty)
    }

    @Test("nothing in a record is obeyed by the terminal")
    func hostile() async throws {
        let terminal = try TmuxTerminal()
        let journal = Self.journal(20) { "\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}31m\u{202E}日本語e\u{301}\u{0}\t\($0)" }
        try look(terminal, at: journal, "--no-follow")
        await until { terminal.lines.contains { $0.contains("日本語") } }
        try terminal.type("d")
        await until { terminal.lines.contains { $0.hasPrefix("MESSAGE=") } }
        #expect(terminal.lines.first?.hasPrefix("20 records") == true)
        #expect(terminal.property("pane_title") != "x")
        try terminal.signal(SIGTERM)
        await until { terminal.status == 128 + Int(SIGTERM) }
        #expect(terminal.settings.before == terminal.settings.after)
    }

    @Test("lines of a file are held in memory, and what is written comes")
    func file() async throws {
        let terminal = try TmuxTerminal()
        try terminal.write("app.json", (1...50).map { #"{"level":"info","msg":"one \#($0)"}"# + "\n" }.joined())
        try terminal.run("'\(TmuxTerminal.program("busctl-rx"))' explore --from json:app.json 2>errors")
        await until { terminal.lines.first?.hasPrefix("50 records · following") == true }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(terminal.folder)/app.json"))
        try file.seekToEnd()
        try file.write(contentsOf: Data((#"{"level":"error","msg":"another"}"# + "\n").utf8))
        await until { terminal.lines.first?.hasPrefix("51 records") == true }
        await until { terminal.lines.contains { $0.hasSuffix(": another") } }
        try terminal.type("/")
        try terminal.send("severity <= err")
        await until { terminal.lines.first?.hasPrefix("1 record ") == true }
        try terminal.signal(SIGHUP)
        await until { terminal.status == 128 + Int(SIGHUP) }
        #expect(terminal.settings.before == terminal.settings.after)
    }

    @Test("after it was stopped and went on, and after another size, it shows the same")
    func stopped() async throws {
        let terminal = try TmuxTerminal()
        try look(terminal, at: Self.journal(300), "--no-follow")
        await until { terminal.lines.first?.hasPrefix("300 records") == true }
        try terminal.type("C-z")
        await until { terminal.status == 128 + Int(SIGTSTP) }
        #expect(terminal.settings.before == terminal.settings.after)
        try terminal.resume()
        await until { terminal.lines.first?.hasPrefix("300 records") == true }
        try terminal.resize(columns: 30, rows: 8)
        await until { terminal.lines.first?.hasPrefix("40x10 is needed.") == true }
        try terminal.resize(columns: 100, rows: 30)
        await until { terminal.lines.contains { $0.hasPrefix("Nov 17 00:13:20 web[1]: message 300") } }
        try terminal.type("q")
        await until { terminal.status == 0 }
        #expect(terminal.settings.before == terminal.settings.after)
    }

    @Test("without a terminal it says so, and ends with status 3")
    func noTerminal() async throws {
        let terminal = try TmuxTerminal()
        try look(terminal, at: Self.journal(3), "</dev/null >out")
        await until { terminal.status == 3 }
        #expect(terminal.read("errors").hasPrefix("busctl-rx: "))
    }
}
