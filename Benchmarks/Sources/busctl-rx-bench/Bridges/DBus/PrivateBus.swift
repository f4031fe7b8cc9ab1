import DBusBridge
import Foundation

/// A `dbus-daemon` for one round, with a folder of its own.
final class PrivateBus {
    private let folder: String
    private let address: String
    private let daemon = Process()

    init(_ settings: Settings) throws {
        folder = settings.cache + "/bus.\(getpid())"
        address = "unix:path=\(folder)/socket"
        do {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let configuration = """
                <busconfig>
                  <type>session</type>
                  <listen>\(address)</listen>
                  <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/>
                    <allow eavesdrop="true"/>
                    <allow own="*"/>
                  </policy>
                  <limit name="max_outgoing_bytes">1000000000</limit>
                </busconfig>
                """
            try configuration.write(toFile: folder + "/conf", atomically: false, encoding: .utf8)
            daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
            daemon.arguments = ["--config-file=\(folder)/conf", "--nofork", "--nopidfile", "--print-address=1"]
            let output = Pipe()
            daemon.standardOutput = output
            try daemon.run()
            // It says its address once it listens.
            guard !output.fileHandleForReading.availableData.isEmpty else {
                throw Complaint("dbus-daemon did not start")
            }
        } catch {
            throw Complaint("cannot start dbus-daemon: \(error)")
        }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func stop() {
        guard daemon.isRunning else { return }
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    /// What the listener uses from its start until the bus ends, after it has written down all that was to be chosen.
    func measure(_ listener: DBusListener, _ settings: Settings, messages: Int) throws -> Command.Usage {
        let file = folder + "/output"
        let command = Command("/bin/sh", "-c", listener.script, "sh", address)
        let outcome = Outcome()
        let thread = Thread { [file] in outcome.set(Result { try command.run(settings, output: file) }) }
        thread.start()
        // Whoever hears the first message hears all that follow.
        var lines = 0
        while lines == 0 {
            try emit(from: -10, to: -9)
            usleep(50_000)
            lines = try Self.lines(of: file)
            if let early = outcome.value { _ = try early.get(); throw Complaint("\(listener.name) ended at once") }
        }
        try emit(from: 1, to: messages + 1)
        try emit(from: 0, to: 1, member: "Last")
        let wanted = messages / 10
        // The line of each attempt above may be there.
        while try Self.chosen(in: file) < wanted {
            usleep(20_000)
            guard outcome.value == nil else { throw Complaint("\(listener.name) ended too early") }
        }
        stop()
        while true {
            if let usage = outcome.value { return try usage.get() }
            usleep(5_000)
        }
    }

    /// Numbers from 1 on are those that are measured.
    private static func chosen(in file: String) throws -> Int {
        try TextFile.read(file).split(separator: "\n").count { !$0.contains("probe") }
    }

    private static func lines(of file: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: file) else { return 0 }
        return try TextFile.read(file).split(separator: "\n").count
    }

    /// One message in ten is chosen. A question now and then keeps the bus from holding more than a few hundred of them.
    private func emit(from start: Int, to end: Int, member: String? = nil) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = EmissionOutcome()
        let connection = connection
        Task.detached {
            do {
                for number in start..<end {
                    try await connection.emit(
                        "/org/example/Door",
                        "org.example.Door",
                        member ?? (number % 10 == 0 ? "Chosen" : "Passed"),
                        [
                            .string(number < 0 ? "probe" : "number \(number)"), .uint32(UInt32(max(0, number))),
                            ["state": .variant("open"), "count": .variant(.int64(42))],
                        ]
                    )
                    if number % 200 == 0 { try await Self.ask(connection) }
                }
                try await Self.ask(connection)
            } catch {
                outcome.failure = error
            }
            done.signal()
        }
        done.wait()
        if let failure = outcome.failure { throw Complaint("cannot send: \(failure)") }
    }

    private lazy var connection = DBusConnection(.address(address))

    private static func ask(_ connection: DBusConnection) async throws {
        let bus = "org.freedesktop.DBus"
        _ = try await connection.call(DBusCall(bus, "/org/freedesktop/DBus", bus, "GetId"))
    }
}

/// What a task ended with. It is read after the task has signalled its end.
private final class EmissionOutcome: @unchecked Sendable {
    var failure: (any Error)?
}

/// What another thread found out.
private final class Outcome: @unchecked Sendable {
    private let lock = NSLock()
    private var found: Result<Command.Usage, any Error>?

    func set(_ value: Result<Command.Usage, any Error>) { lock.withLock { found = value } }

    var value: Result<Command.Usage, any Error>? { lock.withLock { found } }
}
