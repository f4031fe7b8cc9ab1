import DBusBridge
import Foundation
import TestSupport
import Testing

@Suite(
    "busctl-rx asks a bus only for what its filter can select",
    .enabled(
        if: ["dbus-daemon", "busctl"].allSatisfy { Command.exists("/usr/bin/\($0)") },
        "needs dbus-daemon and systemd"
    )
)
struct CommandLineDBusRulesTests {
    private static let filters = [
        "member == 'Opened'", "'Opened' == member && path == '/door'", "member in ['Opened', 'Closed'] && args[0] >= 5",
        "member == 'Opened' || path == '/window' && interface == 'org.example.Door'",
        "type == 'signal' && member != 'Opened'",
        "member == 'Opened' && source == 'dbus'", "source == 'dbus' ? member == 'Closed' : member == 'Opened'",
        "!(member != 'Opened' || path != '/door')", "member == 'no member'", "path == 'no path' || member == 'Closed'",
        "member == 'Opened' && member == 'Closed'", "type == 'signal' || type == 'method_call'",
        "sender == 'org.example.Nobody'",
        "member == 'Closed' && sender.startsWith(':')", "sequence >= 1 && member == 'Opened'",
    ]

    /// The bus filters for one of the two processes. The other hears all messages, because it counts them for its
    /// statistics.
    @Test("the messages shown are the same as without rules", arguments: filters, [true, false])
    func same(_ filter: String, isMonitoring: Bool) async throws {
        let scene = try DBusScene()
        let options =
            ["tail", scene.from] + (isMonitoring ? ["--monitor"] : []) + ["--template", "{path} {member} {args}"]
        let condition = "(\(filter)) || member == 'Last'"
        let ours = try scene.start(arguments: options + [condition])
        let judge = try scene.start(arguments: options + ["--filter-stats", condition])
        let connection = scene.connection
        for (number, member) in ["Opened", "Closed", "Passed", "Opened", "Closed", "Last"].enumerated() {
            for path in ["/door", "/window"] {
                try await connection.emit(
                    at: path,
                    interface: DBusScene.interface,
                    member: member,
                    arguments: [.int32(Int32(number))]
                )
            }
        }
        for process in [ours, judge] { try process.wait(forOutput: "/window Last [5]\n") }
        #expect(try lines(ours) == lines(judge))
    }

    /// The lines that the process has written, except those about other connections.
    private func lines(_ process: TailProcess) throws -> [Substring] {
        try process.interrupt().output.split(separator: "\n").filter { !$0.hasPrefix("/org/freedesktop/DBus ") }
    }

    @Test("explain shows what the bus is asked for")
    func explained() throws {
        func asked(_ arguments: String...) throws -> String? {
            let ended = try TailProcess.run(["explain", "--from=dbus:unix:path=/nowhere"] + arguments)
            return ended.output.split(separator: "\n").last { $0.hasPrefix("Asked of dbus: ") }.map(String.init)
        }
        #expect(try asked("member == 'Opened' && args[0] > 2") == "Asked of dbus: member='Opened'")
        #expect(
            try asked("--match=path='/door'", "member in ['A', 'B']")
                == "Asked of dbus: member='A',path='/door' or member='B',path='/door'"
        )
        #expect(try asked("args[0] > 2") == "Asked of dbus: every signal")
        #expect(try asked("--monitor", "member != 'A'") == "Asked of dbus: every message")
    }

    @Test("the bus is given rules, combined with those of --match")
    func rules() throws {
        let scene = try DBusScene()
        let monitor = try scene.startMonitor("--match=type='method_call',member='AddMatch'")
        let process = try scene.start(
            "tail",
            scene.from,
            "--match",
            "path_namespace='/door'",
            "--match",
            "member='Closed',path='/window'",
            "interface == 'org.example.Door' && (member == 'Opened' || member == 'Closed') && args[0] > 2"
        )
        for rule in [
            "type='signal',interface='org.example.Door',member='Opened',path_namespace='/door'",
            "type='signal',interface='org.example.Door',member='Closed',path_namespace='/door'",
            "type='signal',interface='org.example.Door',member='Closed',path='/window'",
        ] {
            try monitor.wait(forOutput: "STRING \"\(rule)\";")
        }
        try process.interrupt()
        #expect(!String(decoding: monitor.output, as: UTF8.self).contains("member='Opened',path='/window'"))
        try monitor.interrupt()
    }
}
