import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
    "busctl-rx count of other machines",
    .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
)
struct CommandLineRemoteCountTests {
    /// Machines that a stand-in for ssh runs on this one, all with the journal of a scene.
    private struct Machines {
        let scene: RemoteScene
        let environment: [String: String]
        private var log: String { scene.folder.path("counts") }

        /// - Parameters:
        ///   - count: how many entries the journal has.
        ///   - script: what ssh does before; `$host` is the machine.
        init(_ count: Int, _ script: String = "") throws {
            scene = try RemoteScene(count)
            environment = try scene.environment(
                "ssh",
                """
                while [ "$1" != -- ]; do shift; done
                export host=$2
                \(script)
                exec sh -c "$3"
                """
            )
            try RemoteScene.install(
                "exec /usr/bin/journalctl -D '\(scene.journal)' \"$@\"",
                at: scene.folder.path("bin/journalctl")
            )
        }

        /// Installs busctl-rx there.
        ///
        /// - Parameter script: what it does before.
        func install(_ script: String = "") throws {
            try RemoteScene.install(
                """
                \(script)
                case "$*" in *export:-*) exec '\(TailProcess.program)' "$@";; esac
                shift
                echo "$host" >> '\(log)'
                exec '\(TailProcess.program)' count --directory '\(scene.journal)' "$@"
                """,
                at: scene.folder.path("bin/busctl-rx")
            )
        }

        func count(_ words: [String], from hosts: [String] = ["web-1"]) throws -> TailProcess.Ended {
            try TailProcess.run(["count"] + hosts.map { "--from=ssh:\($0)" } + words, environment: environment)
        }

        /// How often a machine has counted for itself.
        var counted: Int {
            (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").count ?? 0
        }
    }

    private static let choices: [[String]] = [
        [], ["--by", "unit"], ["--by", "priority,identifier,_PID", "-o", "json"], ["--every", "300ms", "-o", "csv"],
        ["--by", "pattern", "--every", "1s", "-o", "json", "message.contains(\"1\")"],
        ["-S", "@1700000000.5", "-p", "err"],
        ["-S", "@1700000000.5", "-U", "@1700000000.75", "--by", "PRIORITY"], ["time < now", "--by", "unit"],
        ["identifier == \"it's a \\\"t\\\"\""], ["identifier == 'a!b' || message == '`id` $(id) ${HOME} \\\\ \\n'"],
        ["message != '''\n$HOME'''\n && identifier\n == r'c\\d'", "--by", "identifier"], ["message == 'none'"],
        ["--framed", "1", "-o", "json", "--by", "identifier"],
    ]

    @Test(
        "where busctl-rx is installed and where it is not, the count is that of the same journal here",
        arguments: choices
    )
    func equal(_ choice: [String]) throws {
        let machines = try Machines(1600)
        let local = try TailProcess.run(["count", "--directory", machines.scene.journal] + choice)
        #expect(local.status <= 1 && !local.output.isEmpty, "\(local)")
        #expect(try machines.count(choice) == local)
        try machines.install()
        #expect(try machines.count(choice) == local)
        // What depends on the clock is not asked.
        #expect(machines.counted == (choice.contains("time < now") ? 0 : 1))
    }

    @Test("several machines add up, under their own names; --stats names those that sent their records")
    func several() throws {
        let machines = try Machines(100)
        try machines.install("test \"$host\" != old || exit 2")
        let hosts = ["web-1", "old", "web-2"]
        let ended = try machines.count(
            ["--stats", "--by", "source,priority", "-o", "json", "priority == 3"],
            from: hosts
        )
        let rows = hosts.map { "{\"source\":\"\($0)\",\"priority\":\"err\",\"count\":13}\n" }
        #expect(ended.status == 0 && ended.output == rows.sorted().joined())
        #expect(
            ended.errors == "busctl-rx: old: its records were read, and counted here\n"
                + "busctl-rx: 2 of 3 machines counted their records themselves\n"
        )
        // Its times are corrected here.
        #expect(try machines.count(["--skew", "web-1=+1s"]).output == "100\n")
        #expect(machines.counted == 2)
    }

    @Test("a machine that fails is named, and the others are counted")
    func failing() throws {
        let machines = try Machines(
            10,
            "test \"$host\" = down && { echo 'ssh: Could not resolve hostname down' >&2; exit 255; }"
        )
        for isInstalled in [false, true] {
            if isInstalled { try machines.install() }
            let reason = "down: ssh: Could not resolve hostname down"
            let ended = try machines.count([], from: ["web-1", "down", "web-2"])
            #expect(ended == .init(status: 3, output: "20\n", errors: "busctl-rx: \(reason)\n"))
            let json = try machines.count(["-o", "json"], from: ["down", "web-1"])
            let line = #"{"source":"down","gap":true,"message":"ssh: Could not resolve hostname down"}"#
            #expect(json == .init(status: 3, output: "{\"count\":10}\n\(line)\n", errors: ended.errors))
            let none = try machines.count(["-o", "json"], from: ["down"])
            #expect(none == .init(status: 3, output: "", errors: ended.errors))
        }
        // Of sources that are no machines, all are needed.
        let ended = try machines.count(["--from", "json:\(machines.scene.folder.path("none"))"])
        #expect(ended.status == 3 && ended.output.isEmpty && ended.errors.contains("none"))
    }

    @Test(
        "an answer that is wrong is refused, with the machine and the line, and nothing of it is counted",
        arguments: [
            ("echo '{\"counts\":2}'", "line 1: it is no header of version 1"),
            (
                "echo '{\"counts\":1}'; echo '{\"unit\":\"a\",\"count\":-5}'",
                "line 2: its count is no whole number above 0"
            ),
            ("echo '{\"counts\":1}'; echo '{\"unit\":\"a\",\"count\":5}'", "line 3: it ends too early"),
            (
                "echo '{\"counts\":1}'; yes '{\"unit\":\"a\",\"count\":5}'",
                "line 100002: there are more than 100000 groups"
            ),
            ("echo '{\"counts\":1}'; yes '{' | tr -d '\\n'", "line 2: it is longer than 16 MiB"),
            ("echo '{\"counts\":1}'; printf '\\033]0;x\\007\\n'", "line 2: it is no line of counts"),
        ]
    )
    func hostile(_ script: String, _ reason: String) throws {
        let machines = try Machines(10, "test \"$host\" != bad || { \(script); exit 0; }")
        let ended = try machines.count(
            // A machine that is busy may need longer than usual.
            ["--within", "10m", "--by", "unit", "-o", "csv", "unit == 'unit-1.service'"],
            from: ["bad", "web-1"]
        )
        #expect(ended.status == 3 && ended.output == "unit,count\nunit-1.service,2\n")
        #expect(ended.errors == "busctl-rx: bad: its counts cannot be read: \(reason)\n")
    }

    @Test("nothing that a machine sends reaches the terminal as it is")
    func escapes() throws {
        let machines = try Machines(
            0,
            #"""
            printf '%s\n' '{"counts":1}' '{"unit":"\u001b[31m\u0007","count":5}' \
                '{"source":"x","gap":true,"message":"\u001b[2J lost"}' '{"total":6,"others":1}'
            exit 0
            """#
        )
        let ended = try machines.count(["--by", "unit"])
        #expect(ended.status == 0 && ended.output.contains("    5   83.3%  \\x1b[31m\\x07\n"))
        #expect(ended.output.hasSuffix("    1   16.7%  (others)\n"))
        #expect(
            ended.errors == "busctl-rx: web-1: \\x1b[2J lost\n"
                + "busctl-rx: 1 records of further values are counted, and not told apart\n"
        )
    }

    @Test("a machine that hangs is given up after --within, and its child is ended")
    func hanging() throws {
        let machines = try Machines(0)
        let pipe = machines.scene.folder.path("pipe")
        let mark = machines.scene.folder.path("mark")
        #expect(mkfifo(pipe, 0o600) == 0)
        let life = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(life >= 0)
        defer { close(life) }
        try RemoteScene.install(
            "exec 9> '\(pipe)'; touch '\(mark)'; echo '{\"counts\":1}'; exec sleep 10000",
            at: machines.scene.folder.path("bin/ssh")
        )
        // A busy machine may have started no child by then.
        let hasChild = try Attempts.of(true) { attempt in
            let ended = try machines.count(["--within", Attempts.limits[attempt].text])
            #expect(ended.status == 3 && ended.output.isEmpty, "\(ended)")
            #expect(ended.errors.hasPrefix("busctl-rx: web-1: nothing has come for "), "\(ended)")
            return FileManager.default.fileExists(atPath: mark)
        }
        #expect(hasChild)
        // Waits until no child has the other end.
        #expect(fcntl(life, F_SETFL, 0) == 0)
        var byte: UInt8 = 0
        #expect(read(life, &byte, 1) == 0)
    }

    @Test("the status with which a machine's own count fails is told")
    func failingCount() throws {
        let machines = try Machines(10)
        try machines.install("case \"$*\" in *export:-*) ;; *) exit 3;; esac")
        let ended = try machines.count([])
        #expect(ended == .init(status: 3, output: "", errors: "busctl-rx: web-1: ssh exited with 3\n"))
    }

    @Test("after a signal the machines that have not answered are named")
    func unanswered() throws {
        let machines = try Machines(10, "test \"$host\" != slow || { echo '{\"counts\":1}'; exec sleep 10000; }")
        try machines.install()
        let words = ["--from=ssh:web-1", "--from=ssh:slow"]
        let process = try TailProcess(
            ["count", "--within", "1000s"] + words,
            environment: machines.environment
        )
        try process.waitUntilTakingSignals()
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.errors.contains("busctl-rx: slow: had not answered until then\n"), "\(ended)")
    }

    @Test("a signal leaves no lines that claim to be whole")
    func interrupted() throws {
        let process = try TailProcess(["count", "--framed", "1", "-o", "json", "--from", "json:-"], input: .pipe)
        try process.waitUntilTakingSignals()
        process.send(SIGTERM)
        #expect(try process.end() == .init(status: -SIGTERM, output: "", errors: ""))
    }

    @Test(
        "errors in typed options",
        arguments: [
            (["--within", "1s"], "ssh:HOST"), (["--from", "ssh:web-1", "-f", "--stats"], "without -f"),
            (["--framed", "1"], "-o json"), (["--framed", "2", "-o", "json"], "write 1"),
            (["--framed", "1", "-o", "json", "-f"], "without -f"),
        ]
    )
    func usage(_ words: [String], _ part: String) throws {
        let ended = try TailProcess.run(["count"] + words)
        #expect(ended.status == 2 && ended.output.isEmpty && ended.errors.contains(part), "\(ended.errors)")
    }
}
