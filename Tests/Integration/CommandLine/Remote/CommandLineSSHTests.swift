import Foundation
import TestSupport
import Testing

@Suite(
    "busctl-rx tail reads journals through ssh",
    .enabled(if: TestSSHServer.isAvailable, Comment(rawValue: TestSSHServer.hint))
)
struct CommandLineSSHTests {
    @Test("each choice selects what it selects from the same journal on this machine", arguments: [false, true])
    func choosing(_ hasFilter: Bool) throws {
        let scene = try RemoteScene(1600)
        let server = try TestSSHServer(scene)
        if hasFilter { try server.installFilter() }
        for choice in RemoteScene.choices {
            let ended = try TailProcess.run(
                ["tail", "--from=ssh:web-1", "--no-follow", "-o", "cat"] + choice,
                environment: server.environment
            )
            #expect(try ended == scene.local(choice), "\(choice)")
        }
        let filters = try server.evaluated()
        #expect(filters.isEmpty == !hasFilter)
        if hasFilter { #expect(filters.contains { $0.contains("number 1.$") }) }
    }

    @Test(
        "when the connection is lost, it is made again; nothing is lost, and nothing comes twice",
        arguments: [false, true]
    )
    func resuming(_ hasFilter: Bool) throws {
        let scene = try RemoteScene(20)
        let server = try TestSSHServer(scene)
        if hasFilter { try server.installFilter() }
        let process = try TailProcess(
            ["tail", "--from=ssh:web-1", "-n", "3", "-o", "cat", "priority != 2"],
            environment: server.environment
        )
        try process.wait(forOutput: "number 19\n")
        try scene.add(10)
        try process.wait(forOutput: "number 29\n")
        for last in [39, 49] {
            try server.stop()
            try scene.add(10)
            server.start()
            try process.wait(forOutput: "number \(last)\n")
        }
        let ended = try process.interrupt()
        let numbers = [16, 17, 19] + (20..<50).filter { $0 % 8 != 2 }
        #expect(ended.output == Export.lines(numbers) && ended.status == -SIGTERM)
        // On a busy machine the journal may be silent for so long that this is said, too.
        let lines = ended.errors.split(separator: "\n").filter { !$0.contains("nothing has come for 15 s") }
        #expect(lines.count(where: { $0.hasPrefix("busctl-rx: web-1: ") && $0.hasSuffix("; trying again") }) == 2)
        #expect(lines.count(where: { $0.hasSuffix("; what was written meanwhile follows") }) == 2 && lines.count == 4)
    }

    @Test(
        "another build of busctl-rx evaluates nothing there, whatever its version, and one that dies there is a lost connection"
    )
    func filtersThere() throws {
        let scene = try RemoteScene(3000)
        let server = try TestSSHServer(scene)
        let words = ["tail", "--from=ssh:web-1", "--no-follow", "-o", "cat", "-g", "number 1.$"]
        func run() throws -> TailProcess.Ended { try TailProcess.run(words, environment: server.environment) }
        let other = scene.folder.path("other-build")
        try FileManager.default.copyItem(atPath: TailProcess.program, toPath: other)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: other))
        try file.seekToEnd()
        try file.write(contentsOf: Data([0]))
        try file.close()
        #expect(try TailProcess(["--version"], program: other).end() == TailProcess(["--version"]).end())
        try server.installFilter(program: other)
        #expect(try run() == scene.local(["-g", "number 1.$"]))
        #expect(try server.evaluated().isEmpty)
        // Once it is only tried.
        try server.installFilter(script: "test -p /dev/stdin && head -c 100000 > /dev/null && kill -9 $$")
        var ended = try run()
        #expect(ended.status == 3 && ended.output.isEmpty)
        #expect(ended.errors.hasPrefix("busctl-rx: web-1: ") && ended.errors.split(separator: "\n").count == 1)
        try server.installFilter(script: "test -p /dev/stdin && echo 'busctl-rx: skipped a field' >&2")
        ended = try run()
        #expect(ended.status == 0 && ended.errors == "busctl-rx: web-1: skipped a field\n")
        try server.installFilter()
        try server.installJournal("echo 'No journal files were found.' >&2; exit 1")
        ended = try run()
        #expect(ended.status == 3 && ended.errors == "busctl-rx: web-1: No journal files were found.\n")
        // Tried and used, by each of the three runs.
        #expect(try server.evaluated().count == 6)
    }

    @Test(
        "what ssh says at its end, or what is no journal, is one line, and the status is 3",
        arguments: [
            (
                "echo warning >&2; echo 'web-1: Permission denied (publickey).\r' >&2; exit 255",
                "web-1: Permission denied (publickey)."
            ),
            ("exit 7", "ssh exited with 7"), ("kill -9 $$", "ssh ended by signal 9"),
            ("echo Welcome to web-1", "found \"Welcome to web-1\""),
            ("echo 'MESSAGE=cut off'; echo 'Connection closed.' >&2; exit 255", "Connection closed."),
        ]
    )
    func failures(_ script: String, _ reason: String) throws {
        let scene = try RemoteScene(0)
        let ended = try TailProcess.run(
            ["tail", "--from=ssh:web-1", "-o", "cat"],
            environment: scene.environment("ssh", script)
        )
        #expect(ended.status == 3 && ended.output.isEmpty)
        #expect(ended.errors.hasPrefix("busctl-rx: web-1: ") && ended.errors.split(separator: "\n").count == 1)
        #expect(ended.errors.contains(reason))
    }

    @Test("ssh gets the host behind --, and one word for the shell of the other machine")
    func arguments() throws {
        let scene = try RemoteScene(0)
        let log = scene.folder.path("words")
        let environment = try scene.environment("ssh", "for word; do echo \"$word\"; done > '\(log)'")
        let ended = try TailProcess.run(
            ["tail", "--from=ssh:admin@[fd00::1]:2222", "--no-follow", "-n", "3", "_COMM=it's; reboot"],
            environment: environment
        )
        #expect(ended.status == 1 && ended.errors.isEmpty)
        let words = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(Array(words.suffix(5).prefix(4)) == ["-p", "2222", "--", "admin@fd00::1"])
        #expect(Set(["BatchMode=yes", "ClearAllForwardings=yes", "RemoteCommand=none"]).isSubset(of: words))
        let command = try #require(words.last)
        let reading = "'--quiet' '--no-pager' '--output=export' '--reverse' '_COMM=it'\\''s; reboot'"
        #expect(command.hasPrefix("'sh' '-c' 'IFS= read -r filter; ") && command.hasSuffix("' " + reading))
        #expect(!command.contains("\\\\") && !command.contains("!"))
    }

    @Test("a count through a login shell is that of the same journal on this machine")
    func counting() throws {
        let scene = try RemoteScene(200)
        let server = try TestSSHServer(scene)
        try server.installFilter(
            script: "case \"$*\" in *export:-*) ;; *) shift; set -- count --directory '\(scene.journal)' \"$@\";; esac"
        )
        let words = [
            "--by", "unit,identifier", "--every", "50ms", "-o", "json",
            "identifier != \"$HOME `id` 'it' \\n!\" && message.contains('1')",
        ]
        let local = try TailProcess.run(["count", "--directory", scene.journal] + words)
        var ended = try TailProcess.run(
            ["count", "--from=ssh:web-1", "--stats"] + words,
            environment: server.environment
        )
        #expect(ended.errors == "busctl-rx: 1 of 1 machines counted their records themselves\n")
        ended.errors = ""
        #expect(ended == local && local.status == 0)
    }

    @Test("explain shows what a machine is asked for")
    func explaining() throws {
        let ended = try TailProcess.run(
            "explain",
            "--from=ssh:web-1",
            "--from=https://db-1:19531",
            "(unit == 'a.service' or identifier == 'b') && priority <= crit && message != 'x'"
        )
        let priorities = "PRIORITY=0 PRIORITY=1 PRIORITY=2"
        #expect(ended.output.contains("Asked of web-1: \(priorities) "))
        #expect(ended.output.contains(" + \(priorities) SYSLOG_IDENTIFIER=b; and the whole filter"))
        #expect(ended.output.hasSuffix("Asked of db-1: \(priorities)\n"))
        // What depends on the clock, the time zone or the users of the machine is evaluated here.
        for (filter, isThere) in [
            ("message != 'now or then'", false), ("message != 'known'", true), ("uid == 'root'", false),
            ("_PID > 1", true), ("timestamp(int(X)).getHours('Local') == 3", false), ("time < now", false),
            ("source == 'web-1' && priority <= err", false), ("sequence > 5", false),
        ] {
            let asked = try TailProcess.run("explain", "--from=ssh:web-1", filter).output
            #expect(asked.contains("; and the whole filter, if busctl-rx is installed there\n") == isThere, "\(filter)")
        }
        // Each byte of it takes three in a URL, and servers take no longer ones.
        let long = String(repeating: "ä", count: 4000)
        let words = ["explain", "--from=ssh:web-1", "--from=https://db-1:19531", "identifier == '\(long)'"]
        let asked = try TailProcess.run(words).output
        #expect(asked.contains("Asked of web-1: SYSLOG_IDENTIFIER=ä"))
        #expect(asked.hasSuffix("Asked of db-1: every entry\n"))
    }

    @Test("twenty machines are in one order, each entry once; a machine that is down holds nothing up")
    func fleet() throws {
        let scene = try RemoteScene(0)
        let hosts = (0..<20).map { "host-\($0)" }
        for (index, host) in hosts.enumerated() {
            let folder = scene.folder.path(host)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try RemoteScene.write(stride(from: index, to: 2000, by: 20), to: folder + "/test.journal")
        }
        let environment = try scene.environment(
            "ssh",
            """
            while [ "$1" != -- ]; do shift; done
            test "$2" = down && echo 'No route to host' >&2 && exit 255
            host=$2 exec sh -c "$3"
            """
        )
        try RemoteScene.install(
            "exec /usr/bin/journalctl -D '\(scene.folder.path)'/\"$host\" \"$@\"",
            at: scene.folder.path("bin/journalctl")
        )
        let from = hosts.map { "--from=ssh:\($0)" }
        let all = try TailProcess.run(["tail", "--no-follow", "-o", "cat"] + from, environment: environment)
        #expect(all.output == Export.lines(0..<2000) && all.status == 0 && all.errors.isEmpty)
        let process = try TailProcess(
            ["tail", "-n", "2", "-o", "cat", "--reconnect", "--from=ssh:down"] + from,
            environment: environment
        )
        try process.wait(forOutput: Export.lines(1960..<2000))
        try RemoteScene.write(2000..<2001, to: scene.folder.path("host-7") + "/test.journal")
        try process.wait(forOutput: Export.lines(1960..<2001))
        let ended = try process.interrupt()
        #expect(ended.output == Export.lines(1960..<2001))
        #expect(ended.errors == "busctl-rx: down: No route to host; trying again\n")
    }
}
