import Bus
import DBusBridge
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A `dbus-daemon` of the test's own, with a folder of its own. It is ended with this object.
final class TestBus: Sendable {
    let folder: String
    let address: String
    private let process: Mutex<Process>

    init() throws {
        var name = Array("/tmp/busctl-rx-dbus-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&name).map { String(cString: $0) })
        self.folder = folder
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(folder)/socket</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        try configuration.write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
        address = "unix:path=\(folder)/socket"
        process = Mutex(try Self.start(folder))
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var connection: DBusConnection { DBusConnection(.address(address)) }

    /// Ends the daemon at once, as a crash does.
    func stop() {
        process.withLock { process in
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    func restart() throws {
        stop()
        let started = try Self.start(folder)
        process.withLock { $0 = started }
    }

    /// Lets the daemon do nothing while `body` runs.
    func whileStopped<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let number = process.withLock { $0.processIdentifier }
        kill(number, SIGSTOP)
        defer { kill(number, SIGCONT) }
        return try await body()
    }

    /// What another program says when it has ended with 0.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
        process.arguments = arguments
        process.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) ended with \(process.terminationStatus)")
        return String(decoding: text, as: UTF8.self)
    }

    /// The same, without keeping a thread of the pool, on which this program's methods run.
    func runOffThePool(_ program: String, _ arguments: [String]) async throws -> String {
        try await offThePool { Result { try self.run(program, arguments) } }.get()
    }

    private static func start(_ folder: String) throws -> Process {
        unlink(folder + "/socket")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        process.arguments = ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // It says its address once it listens.
        let line = output.fileHandleForReading.availableData
        try #require(!line.isEmpty, "dbus-daemon did not start")
        return process
    }
}

extension DBusConnection {
    /// Serves objects, and comes back when they can be called by a name.
    func serving(_ objects: [DBusObject], as name: String) async -> any Disposable {
        let named = Latch()
        let isNamed = Lock(false)
        let subscription = serve(objects, as: name).subscribe(
            next: { event in
                guard event == .nameAcquired(name) else { return }
                isNamed.withLock { $0 = true }
                named.open()
            },
            failed: { error in
                // Later it fails when the bus, or the connection, is ended.
                if !isNamed.withLock({ $0 }) { Issue.record("\(error)") }
                named.open()
            }
        )
        await offThePool { named.wait() }
        return subscription
    }
}
