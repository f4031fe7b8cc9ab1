import Glibc
import TestSupport
import Testing

@Suite("A screen")
struct ScreenTests {
    private static let texts = [
        "plain", "日本語|", "e\u{301}a\u{308}|", "a\u{1B}[2J\r\nb\u{7}", "\u{202E}x", "👩‍👩‍👧|", "\u{378}|",
    ]
    private static let shown = ["plain", "日本語|", "e\u{301}a\u{308}|", "a␛[2J␍␊b␇", "\\u202Ex", "👩|", "\u{FFFD}|"]

    @Test(
        "shows a canvas on a terminal of any type and size",
        arguments: ["xterm-256color", "xterm", "vt100"],
        [(80, 24), (300, 100), (10, 3)]
    )
    func shown(type: String, size: (columns: Int, rows: Int)) async throws {
        let terminal = try TmuxTerminal(columns: size.columns, rows: size.rows, type: type)
        try await terminal.show(Self.texts)
        let footer = "\(size.columns)x\(size.rows)"
        let expected = Self.shown.prefix(size.rows - 1)
        let blank = Array(repeating: "", count: size.rows - 1 - expected.count)
        await until { terminal.lines == expected + blank + [footer] }
        #expect(terminal.property("cursor_x,cursor_y") != nil)
        #expect(
            terminal.property("cursor_x") == "\(footer.count)" && terminal.property("cursor_y") == "\(size.rows - 1)"
        )
    }

    @Test(
        "has colours where the terminal has them and they are wanted",
        arguments: [
            ("xterm-256color", "", true), ("xterm", "", true), ("vt100", "", false), ("xterm", "env NO_COLOR=1", false),
        ]
    )
    func colors(type: String, command: String, isColored: Bool) async throws {
        let terminal = try TmuxTerminal(type: type)
        try await terminal.show(after: command)
        await until { terminal.lines.last == "80x24" }
        #expect(terminal.colored.contains("31m") == isColored)
        #expect(terminal.colored.contains("\u{1B}[1"))
    }

    @Test("replaces what the locale's encoding lacks")
    func encoding() async throws {
        let terminal = try TmuxTerminal(environment: ["LC_ALL": "C"])
        try await terminal.show(["日e\u{301}…|"])
        await until { terminal.lines.first == "? e?|" }
        #expect(terminal.log == ["shown unicode=false"])
    }

    @Test("reads keys by their names, whatever standard input is", arguments: ["", "</dev/null"])
    func keys(redirection: String) async throws {
        let terminal = try TmuxTerminal()
        try await terminal.show(with: redirection)
        try terminal.type(
            "x",
            "é",
            "Up",
            "S-Up",
            "C-Left",
            "PPage",
            "Home",
            "DC",
            "BTab",
            "F5",
            "C-f",
            "M-x",
            "Enter",
            "Tab",
            "BSpace"
        )
        try terminal.send("o\u{308}\u{1B}[I\u{1B}[27;5;9~")
        try terminal.type("Escape")
        let expected = [
            "text(\"x\")", "text(\"é\")", "up", "shiftUp", "controlLeft", "pageUp", "home", "delete", "backTab",
            "function(5)",
            "control(\"f\")", "alt(\"x\")", "enter", "tab", "backspace", "text(\"o\u{308}\")", "escape",
        ]
        await until { terminal.log.count > expected.count }
        #expect(terminal.log.dropFirst().map(Self.short) == expected)
    }

    @Test("reads the mouse")
    func pointer() async throws {
        let terminal = try TmuxTerminal(columns: 300, rows: 50)
        try await terminal.show()
        try terminal.send("\u{1B}[<0;5;3M\u{1B}[<0;5;3m\u{1B}[<0;5;3M\u{1B}[<0;5;3m\u{1B}[<64;250;40M\u{1B}[<65;1;1M")
        await until { terminal.log.count == 7 }
        let actions = ["press", "release", "doublePress", "release", "wheelUp", "wheelDown"]
        #expect(zip(terminal.log.dropFirst(), actions).allSatisfy { $0.hasSuffix(".\($1)))") })
        #expect(terminal.log[1].contains("row: 2, column: 4") && terminal.log[5].contains("row: 39, column: 249"))
    }

    @Test("takes pasted text for no command")
    func paste() async throws {
        let terminal = try TmuxTerminal()
        try await terminal.show()
        try terminal.paste("q!\ta\u{1B}q\né日")
        await until { terminal.log.count > 1 }
        #expect(terminal.log.last == "paste(\"q!\\ta\\u{1B}q\\né日\")")
        // The end of this one never comes.
        try terminal.send("\u{1B}[200~q")
        await until { terminal.log.last == "paste(\"q\")" }
        try terminal.type("Escape")
        await until { terminal.log.last == "key(Terminal.Key.escape)" }
        try terminal.type("y")
        await until { terminal.log.last == "text(\"y\")" }
    }

    @Test("follows the size of the terminal")
    func resized() async throws {
        let terminal = try TmuxTerminal()
        try await terminal.show(["plain"])
        for (columns, rows) in [(300, 100), (1, 2), (10, 3), (1, 1), (80, 24)] {
            let count = terminal.log.count
            try terminal.resize(columns: columns, rows: rows)
            await until { terminal.log.count > count }
            // ncurses leaves the only cell of a terminal as it was first drawn.
            if rows > 1 { await until { terminal.lines.last == String("\(columns)x\(rows)".prefix(columns)) } }
        }
        #expect(terminal.lines.first == "plain")
        #expect(terminal.log.dropFirst().allSatisfy { $0 == "resized" })
    }

    @Test(
        "leaves the terminal as it was, however the process ends",
        arguments: [
            ("q", nil, 0), ("a", nil, 4), ("!", nil, 128 + SIGILL), ("C-c", nil, 128 + SIGINT),
            ("C-\\", nil, 128 + SIGQUIT),
            (nil, SIGTERM, 128 + SIGTERM), (nil, SIGHUP, 128 + SIGHUP), (nil, SIGABRT, 128 + SIGABRT),
        ] as [(String?, CInt?, CInt)]
    )
    func left(key: String?, signal: CInt?, status: CInt) async throws {
        let terminal = try TmuxTerminal()
        // Without the runtime's backtraces, which take seconds.
        try await terminal.show(after: "env SWIFT_BACKTRACE=enable=no")
        #expect(terminal.property("alternate_on") == "1" && terminal.property("mouse_any_flag") == "1")
        if let key { try terminal.type(key) }
        if let signal { try terminal.signal(signal) }
        await until { terminal.status != nil }
        // Of the signals for a trap, the machine chooses one.
        #expect(terminal.status == Int(status) || key == "!" && terminal.status == 128 + Int(SIGTRAP))
        #expect(terminal.settings.before == terminal.settings.after && terminal.settings.before != "")
        #expect(terminal.property("alternate_on") == "0" && terminal.property("mouse_any_flag") == "0")
        #expect(terminal.property("cursor_flag") == "1")
    }

    @Test("stops with the shell's terminal restored, and is drawn again", arguments: [SIGTSTP, SIGSTOP])
    func suspended(signal: CInt) async throws {
        let terminal = try TmuxTerminal()
        try terminal.record()
        try await terminal.show(["plain"])
        if signal == SIGTSTP { try terminal.type("C-z") } else { try terminal.signal(signal) }
        await until { terminal.status == Int(128 + signal) }
        if signal == SIGTSTP {
            #expect(terminal.property("alternate_on") == "0")
            #expect(terminal.settings.before == terminal.settings.after)
        }
        try terminal.resize(columns: 70, rows: 20)
        try terminal.resume()
        await until { terminal.lines.first == "plain" && terminal.lines.last == "70x20" }
        #expect(terminal.property("alternate_on") == "1" && terminal.property("mouse_any_flag") == "1")
        try terminal.type("Up", "q")
        await until { terminal.status == 0 }
        #expect(terminal.settings.before == terminal.settings.after)
        try terminal.type("echo the e''nd", "Enter")
        await until { terminal.count(of: "the end") == 1 }
        #expect(terminal.count(of: "\u{1B}[?1049h") == 2 && terminal.count(of: "\u{1B}[?1049l") == 2)
    }

    @Test("waits in the background without the terminal, and ends there")
    func background() async throws {
        let terminal = try TmuxTerminal()
        try await terminal.show(["plain"])
        try terminal.type("C-z")
        await until { terminal.status == Int(128 + SIGTSTP) }
        try terminal.type("bg; echo in front", "Enter")
        await until { terminal.lines.contains("in front") }
        try terminal.resume()
        await until { terminal.lines.first == "plain" && terminal.lines.last == "80x24" }
        try terminal.type("C-z")
        await until { terminal.status == Int(128 + SIGTSTP) }
        try terminal.type("bg", "Enter")
        try terminal.signal(SIGTERM)
        await until { terminal.log.last == "signal \(SIGTERM)" }
        #expect(terminal.property("alternate_on") == "0")
    }

    @Test("ends with its terminal")
    func hangUp() async throws {
        let terminal = try TmuxTerminal()
        try await terminal.show()
        try terminal.end()
        await until { ["ended", "signal \(SIGHUP)"].contains(terminal.log.last) }
    }

    @Test(
        "says why it cannot be",
        arguments: [
            ("", "| cat", "standard output is not a terminal"),
            ("env TERM=dumb", "", "its type \"dumb\" (variable TERM)"),
            ("env TERM=never-made", "", "its type \"never-made\" (variable TERM)"),
            ("env -u TERM", "", "TERM is not set"),
        ]
    )
    func refused(command: String, redirection: String, message: String) async throws {
        let terminal = try TmuxTerminal(columns: 200)
        try terminal.run([], after: command, with: redirection)
        await until { terminal.status != nil }
        #expect(terminal.lines.contains { $0.contains(message) })
        #expect(terminal.settings.before == terminal.settings.after)
    }

    /// The name of a key without its type.
    private static func short(_ event: String) -> String {
        guard event.hasPrefix("key(Terminal.Key.") else { return event }
        return String(event.dropFirst("key(Terminal.Key.".count).dropLast())
    }
}
