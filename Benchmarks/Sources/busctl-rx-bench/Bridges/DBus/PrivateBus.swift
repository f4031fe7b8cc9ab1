import DBusBridge
import Foundation

/// A `dbus-daemon` for one round, with its own folder.
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
            // It prints its address once it listens.
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

    /// The cost of a message to one listener, in microseconds.
    struct Cost {
        /// From the moment it may continue until it has written all selected messages.
        let wall: Double
        /// Processor time from its start to its end.
        let processor: Double
    }

    /// Lets the listener hear all queued messages at once: it is stopped while they are sent. This measures how fast it
    /// can be, not how fast it has to be.
    func measure(_ listener: DBusListener, _ settings: Settings, messages: Int) throws -> Cost {
        let (file, pid) = (folder + "/output", folder + "/pid")
        let command = Command("/bin/bash", "-c", listener.script, "sh", address, pid)
        let outcome = Outcome()
        let thread = Thread { [file] in outcome.set(Result { try command.run(settings, output: file) }) }
        thread.start()
        // A listener that hears the first message hears all that follow.
        var lines = 0
        while lines == 0 {
            try emit(from: -10, to: -9)
            usleep(50_000)
            lines = try Self.lines(of: file)
            if let early = outcome.value {
                _ = try early.get()
                throw Complaint("\(listener.name) ended at once")
            }
        }
        let text = try TextFile.read(pid).split(whereSeparator: \.isWhitespace).first
        guard let process = text.flatMap({ pid_t($0) }), process > 1 else {
            throw Complaint("\(listener.name) told no process")
        }
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        try emit(from: 1, to: messages + 1)
        let start = ContinuousClock.now
        kill(process, SIGCONT)
        while try !Self.ends(file, with: messages) {
            usleep(2_000)
            guard outcome.value == nil else { throw Complaint("\(listener.name) ended too early") }
            guard start.duration(to: .now) < .seconds(60) else { throw Complaint("\(listener.name) lost messages") }
        }
        let wall = start.duration(to: .now) / .microseconds(1)
        stop()
        while true {
            if let usage = outcome.value {
                let processor = try usage.get().cpuSeconds * 1e6
                return Cost(wall: wall / Double(messages), processor: processor / Double(messages))
            }
            usleep(5_000)
        }
    }

    /// Whether the line of the last message is written.
    private static func ends(_ file: String, with last: Int) throws -> Bool {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        defer { try? handle.close() }
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size - min(size, 1000))
        let end = try handle.readToEnd() ?? Data()
        return String(decoding: end, as: UTF8.self).contains("number \(last)\"")
    }

    private static func lines(of file: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: file) else { return 0 }
        return try TextFile.read(file).split(separator: "\n").count
    }

    private func emit(from start: Int, to end: Int) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = EmissionOutcome()
        let emission = Emission(connection: connection, numbers: start..<end)
        Task.detached {
            do {
                try await emission.send()
            } catch {
                outcome.failure = error
            }
            done.signal()
        }
        done.wait()
        if let failure = outcome.failure { throw Complaint("cannot send: \(failure)") }
    }

    private lazy var connection = DBusConnection(.address(address))
}

/// The messages to send, one for each number. One in ten is selected.
private struct Emission: Sendable {
    let connection: DBusConnection
    let numbers: Range<Int>

    func send() async throws {
        for number in numbers {
            try await connection.emit(
                at: "/org/example/Door",
                interface: "org.example.Door",
                member: number % 10 == 0 ? "Chosen" : "Passed",
                arguments: [
                    .string(number < 0 ? "probe" : "number \(number)"), .uint32(UInt32(max(0, number))),
                    ["state": .variant("open"), "count": .variant(.int64(42))],
                ]
            )
            // A query now and then keeps the bus from queueing more than a few hundred of them.
            if number % 200 == 0 { try await ask() }
        }
        try await ask()
    }

    private func ask() async throws {
        let bus = "org.freedesktop.DBus"
        _ = try await connection.call(DBusCall(to: bus, at: "/org/freedesktop/DBus", interface: bus, member: "GetId"))
    }
}

/// The result of a task. It is read after the task has signalled its end.
private final class EmissionOutcome: @unchecked Sendable {
    var failure: (any Error)?
}

/// The result from another thread.
private final class Outcome: @unchecked Sendable {
    private let lock = NSLock()
    private var found: Result<Command.Usage, any Error>?

    func set(_ value: Result<Command.Usage, any Error>) { lock.withLock { found = value } }

    var value: Result<Command.Usage, any Error>? { lock.withLock { found } }
}
