import Foundation
import Glibc
import Synchronization

/// The test's own `dbus-daemon`, with its own folder. It ends with this object.
package final class TestBus: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let folder: String
    package let address: String
    private let process: Mutex<Process>

    /// - Parameters:
    ///   -   - policy: additional rules of its policy, in the form of `dbus-daemon(1)`.
    ///   -   - limits: limits by name that differ from the daemon's own.
    package init(policy: String = "", limits: [String: Int] = [:]) throws {
        var name = Array("/tmp/busctl-rx-dbus-XXXXXX".utf8CString)
        guard let made = mkdtemp(&name) else { throw Failure(description: "no folder, errno \(errno)") }
        let folder = String(cString: made)
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
                \(policy)
              </policy>
              \(limits.map { "<limit name='\($0)'>\($1)</limit>" }.joined())
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

    /// Ends the daemon at once, like a crash.
    package func stop() {
        process.withLock { process in
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    package func restart() throws {
        stop()
        let started = try Self.start(folder)
        process.withLock { $0 = started }
    }

    /// Stops the daemon while `body` runs.
    package func whileStopped<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let number = process.withLock { $0.processIdentifier }
        kill(number, SIGSTOP)
        defer { kill(number, SIGCONT) }
        return try await body()
    }

    /// The output of another program that must end with 0.
    @discardableResult
    package func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
        process.arguments = arguments
        process.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) ended with \(process.terminationStatus)")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The same, without blocking a thread of the pool, on which this program's methods run.
    package func runOffThePool(_ program: String, _ arguments: [String]) async throws -> String {
        try await offThePool { Result { try self.run(program, arguments) } }.get()
    }

    /// Another program with the daemon's options; see Scripts/with-dbus-broker.sh.
    private static let substitute = ProcessInfo.processInfo.environment["BUSCTL_RX_TEST_BUS"]

    /// Whether it is the real `dbus-daemon`, which can be stopped and knows the names of limits.
    package static var isReference: Bool { substitute == nil }

    private static func start(_ folder: String) throws -> Process {
        unlink(folder + "/socket")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: substitute ?? "/usr/bin/dbus-daemon")
        process.arguments = ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // It prints its address once it listens.
        let line = output.fileHandleForReading.availableData
        guard !line.isEmpty else { throw Failure(description: "dbus-daemon did not start") }
        return process
    }
}
