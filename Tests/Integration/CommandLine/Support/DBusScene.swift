import DBusBridge
import Foundation
import TestSupport

/// A private bus, the real busctl-rx that listens on it, and programs that send on it.
struct DBusScene {
    static let interface = "org.example.Door"

    let bus: TestBus
    let folder: TemporaryFolder

    init(policy: String = "") throws {
        bus = try TestBus(policy: policy)
        folder = try TemporaryFolder()
    }

    /// A connection of the test's own process.
    var connection: DBusConnection { DBusConnection(.address(bus.address)) }

    /// The bus as an option of busctl-rx.
    var from: String { "--from=dbus:\(bus.address)" }

    /// busctl-rx, returned once it hears everything.
    func start(_ arguments: String..., environment: [String: String] = [:]) throws -> TailProcess {
        try start(arguments: arguments, environment: environment)
    }

    func start(arguments: [String], environment: [String: String] = [:]) throws -> TailProcess {
        let manager = try DatagramReceiver()
        let own = ["LANG": "C", "TZ": "UTC", "NOTIFY_SOCKET": manager.name]
        let process = try TailProcess(arguments, environment: environment.merging(own) { given, _ in given })
        try process.waitUntilReady(manager)
        return process
    }

    /// `busctl monitor`, returned once it hears everything.
    func startMonitor(_ arguments: String...) throws -> TailProcess {
        let process = try TailProcess(
            ["--address=\(bus.address)", "monitor"] + arguments,
            environment: ["LANG": "C.UTF-8"],
            program: "/usr/bin/busctl"
        )
        try process.wait(forErrors: "Monitoring bus message stream.")
        return process
    }

    /// Sends a signal of the door by `dbus-send`.
    func send(_ member: String, _ arguments: String...) throws {
        try bus.run("dbus-send", ["--type=signal", "/door", "\(Self.interface).\(member)"] + arguments)
    }
}

extension TailProcess {
    /// The objects of the lines that the process has written.
    var objects: [[String: Any]] {
        output.split(separator: 0x0A).compactMap { line in
            (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
        }
    }

    /// Ends the process as a person would.
    @discardableResult
    func interrupt() throws -> Ended {
        send(SIGTERM)
        return try end()
    }
}
