import Foundation
import Glibc
import TestSupport
import Testing

@Suite("busctl-rx tail shows finite output in a pager on a terminal")
struct CommandLinePagerTests {
    /// A terminal, and scripts as pagers.
    fileprivate struct Place {
        let folder: TemporaryFolder
        let terminal: Terminal
        var environment: [String: String]

        /// - Parameter script: the content of the pager that SYSTEMD_PAGER names, and of the only `less`.
        init(_ script: String) throws {
            folder = try TemporaryFolder()
            terminal = try Terminal()
            for name in ["mine", "less"] {
                let path = folder.path(name)
                try "#!/bin/sh\ncd \(folder.path)\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
                chmod(path, 0o755)
            }
            environment = [
                "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "xterm", "PATH": "\(folder.path):/usr/bin:/bin",
                "SYSTEMD_PAGER": folder.path("mine") + " one two", "SYSTEMD_PAGERSECURE": "1",
            ]
        }

        func start(
            _ arguments: [String],
            _ changes: [String: String] = [:],
            errors: TailProcess.Stream? = nil,
            count: Int = 3
        ) throws -> TailProcess {
            try Export.numbers(0..<count).write(to: URL(fileURLWithPath: folder.path("input")))
            return try TailProcess(
                ["tail", "--from", "export:\(folder.path("input"))", "-ocat"] + arguments,
                output: .file(terminal.path),
                errors: errors ?? .file(terminal.path),
                environment: environment.merging(changes) { $1 }
            )
        }

        func text(_ name: String) -> String? { try? String(contentsOfFile: folder.path(name), encoding: .utf8) }
    }

    private static let recording = "{ echo \"$@\"; env | grep '^LESS' | sort; cat; } > new; mv new paged"

    @Test("the pager gets all output, and the environment of systemd's pagers")
    func pager() throws {
        let place = try Place(Self.recording)
        let environment = "LESS=FRSXMK\nLESSCHARSET=utf-8\nLESSSECURE=1\n"
        #expect(try place.start(["--no-follow"]).end().status == 0)
        #expect(place.text("paged") == "one two\n" + environment + Export.lines(0..<3))
        #expect(place.terminal.read() == "")
        #expect(try place.start(["-e", "-n2"]).end().status == 0)
        #expect(place.text("paged")?.hasSuffix(Export.lines(1..<3)) == true)
        #expect(place.text("paged")?.contains("LESS=FRSXMK +G\n") == true)
        #expect(try place.start(["-r", "-n1", "--color=always", "-oshort"]).end().status == 0)
        #expect(place.text("paged")?.contains("number 2") == true)
    }

    @Test(
        "no pager starts where journalctl starts none",
        arguments: [
            (["--no-follow", "--no-pager"], [:]), (["--no-follow"], ["SYSTEMD_PAGER": "cat"]),
            (["--no-follow"], ["SYSTEMD_PAGER": ""]), (["--no-follow"], ["TERM": "dumb"]), ([], [:]),
            (["-e", "-f"], [:]),
        ] as [([String], [String: String])]
    )
    func none(arguments: [String], changes: [String: String]) throws {
        let place = try Place(Self.recording)
        #expect(try place.start(arguments, changes).end().status == 0)
        #expect(place.text("paged") == nil)
        #expect(place.terminal.read() == Export.lines(0..<3).replacing("\n", with: "\r\n"))
    }

    @Test("no pager starts for messages outside a terminal, or without output")
    func nothing() throws {
        let place = try Place(Self.recording)
        #expect(try place.start(["--no-follow"], errors: .pipe).end() == .init(status: 0, output: "", errors: ""))
        #expect(try place.start(["--no-follow", "false"]).end().status == 1)
        #expect(place.text("paged") == nil)
    }

    @Test("a missing pager is reported, and less is used instead")
    func missing() throws {
        let place = try Place(Self.recording)
        let ended = try place.start(["--no-follow"], ["SYSTEMD_PAGER": "/nowhere/most -s"]).end()
        #expect(ended.status == 0)
        #expect(place.text("paged")?.hasSuffix(Export.lines(0..<3)) == true)
        #expect(place.terminal.read().hasPrefix("busctl-rx: cannot start /nowhere/most: No such file or directory"))
        // Without any pager, the output goes to the terminal.
        let none = ["SYSTEMD_PAGER": "/nowhere/most", "PATH": "/nowhere"]
        #expect(try place.start(["--no-follow"], none).end().status == 0)
        #expect(place.terminal.read().hasSuffix("number 2\r\n"))
    }

    @Test("leaving the pager early ends the run", arguments: [["--no-follow"], ["-r", "-n", "50000"]])
    func early(arguments: [String]) throws {
        let place = try Place("head -n 1 > new; mv new paged")
        #expect(try place.start(arguments, count: 20_000).end().status == 0)
        #expect(place.text("paged") == (arguments[0] == "-r" ? "number 19999\n" : "number 0\n"))
        #expect(place.terminal.read() == "")
    }

    @Test("a pager that fails is reported, and the terminal is restored", arguments: ["exit 7", "kill -9 $$"])
    func failing(ending: String) throws {
        let place = try Place("stty -icanon -echo <&1\n\(ending)")
        #expect(place.isCooked)
        #expect(try place.start(["--no-follow"]).end().status == 3)
        let told = place.terminal.read()
        #expect(told.hasPrefix("busctl-rx: the pager \(place.folder.path("mine")) failed: it "), "\(told)")
        #expect(told.contains(ending == "exit 7" ? "exited with 7" : "signal 9"))
        #expect(place.isCooked)
    }

    @Test(
        "a signal ends both processes, before and after the pager has read everything",
        arguments: [SIGINT, SIGTERM],
        [3, 20_000]
    )
    func signals(signal: Int32, count: Int) throws {
        let place = try Place("stty -icanon -echo <&1\necho $$ > new; mv new pid; exec sleep 100000")
        let tail = try place.start(["--no-follow"], count: count)
        try Deadline.wait("the pager to run") { place.text("pid") != nil }
        if count > 3 { try tail.waitUntilWriting(thread: "busctl-output", to: STDOUT_FILENO) }
        let pid = try #require(place.text("pid").flatMap { pid_t($0.dropLast()) })
        tail.send(signal)
        #expect(try tail.end().status == -signal)
        // The process that adopts orphans may not have reaped it yet. Then it has no command line any more.
        let command = try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)
        #expect(command?.isEmpty ?? true)
        #expect(place.isCooked)
        #expect(place.terminal.read() == "")
    }

    @Test("^C is left to less unless less is told to end with it")
    func interrupts() throws {
        // Its input is written once it is known to run.
        let place = try Place(
            "read first; echo > started; read line < go; { echo $first; cat; } > new; mv new paged"
        )
        try #require(mkfifo(place.folder.path("go"), 0o600) == 0)
        let changes = ["SYSTEMD_PAGER": "less", "SYSTEMD_LESS": "FRSXM"]
        let tail = try place.start(["--no-follow"], changes)
        try Deadline.wait("less to run") { place.text("started") != nil }
        tail.send(SIGINT)
        try "\n".write(toFile: place.folder.path("go"), atomically: false, encoding: .utf8)
        #expect(try tail.end().status == 0)
        #expect(place.text("paged") == Export.lines(0..<3))
    }

    @Test("the pager shows the list of boots, but not the values of fields", .enabled(if: SyntheticJournal.isAvailable))
    func lists() throws {
        let place = try Place(Self.recording)
        let journal = try SyntheticJournal(messages: 2)
        func run(_ arguments: String...) throws -> Int32 {
            try TailProcess(
                ["tail", "--file", journal.path] + arguments,
                output: .file(place.terminal.path),
                errors: .file(place.terminal.path),
                environment: place.environment
            ).end().status
        }
        #expect(try run("-F", "MESSAGE") == 0)
        #expect(place.text("paged") == nil)
        #expect(try run("--list-boots") == 0)
        #expect(place.text("paged")?.contains(SyntheticJournal.boot) == true)
        #expect(try run("--list-boots", "--no-pager") == 0)
        #expect(place.terminal.read().contains(SyntheticJournal.boot))
    }
}

extension CommandLinePagerTests.Place {
    /// Whether the terminal is in line mode and echoes input.
    fileprivate var isCooked: Bool {
        let descriptor = Descriptor(open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
        var settings = termios()
        guard tcgetattr(descriptor.number, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ICANON) != 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
