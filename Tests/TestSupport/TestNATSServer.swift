import Bus
import CLinux
import Foundation
import Glibc

/// A `nats-server` of the test's own on a loopback port that it chose, with a folder of its own. It is ended with this object.
package final class TestNATSServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let folder: String
    package let port: Int
    /// Nil when it was ended.
    private let process: Lock<pid_t?>

    /// - Parameters:
    ///   - configuration: lines for its configuration file, in which FOLDER is the server's folder.
    ///   - prepare: puts into the folder what the server needs.
    package static func start(
        _ configuration: String = "",
        prepare: @escaping @Sendable (_ folder: String) throws -> Void = { _ in }
    ) async throws -> TestNATSServer {
        try await offThePool { Result { try TestNATSServer(configuration, prepare) } }.get()
    }

    private init(_ configuration: String, _ prepare: (String) throws -> Void) throws {
        var name = Array("/tmp/busctl-rx-nats-XXXXXX".utf8CString)
        guard let made = mkdtemp(&name) else { throw Failure(description: "no folder, errno \(errno)") }
        folder = String(cString: made)
        try prepare(folder)
        try Self.write(configuration, in: folder)
        let started = try Self.start(folder, port: -1)
        process = Lock(started.process)
        port = started.port
    }

    deinit {
        end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    package var url: String { "nats://127.0.0.1:\(port)" }

    /// Ends the server at once, as a crash does.
    package func stop() async { await offThePool { self.end() } }

    /// Starts it again on the same port.
    ///
    /// - Parameter configuration: in place of what its configuration file has.
    package func restart(_ configuration: String? = nil) async throws {
        try await offThePool {
            Result {
                self.end()
                try configuration.map { try Self.write($0, in: self.folder) }
                let started = try Self.start(self.folder, port: self.port)
                self.process.withLock { $0 = started.process }
            }
        }.get()
    }

    /// Lets the server do nothing until it is ended. Returns when all its threads have stopped.
    package func suspend() async {
        guard let number = process.withLock({ $0 }) else { return }
        await offThePool {
            kill(number, SIGSTOP)
            waitpid(number, nil, WUNTRACED)
        }
    }

    private func end() {
        guard let number = process.withLock({ $0.take() }) else { return }
        kill(number, SIGKILL)
        waitpid(number, nil, 0)
    }

    private static func write(_ configuration: String, in folder: String) throws {
        try configuration.replacing("FOLDER", with: folder)
            .write(toFile: folder + "/server.conf", atomically: false, encoding: .utf8)
    }

    /// Lets a server that was suspended go on.
    package func resume() { process.withLock { if let number = $0 { kill(number, SIGCONT) } } }

    private static func start(_ folder: String, port: Int) throws -> (process: pid_t, port: Int) {
        let number = try spawn(
            [
                "/usr/sbin/nats-server", "-a", "127.0.0.1", "-p", "\(port)", "-c", folder + "/server.conf", "-l",
                folder + "/log",
            ]
                + ["--ports_file_dir", folder]
        )
        // It is written when the server listens.
        let file = folder + "/nats-server_\(number).ports"
        while true {
            if let text = try? String(contentsOfFile: file, encoding: .utf8),
                let start = text.firstRange(of: "://127.0.0.1:")?.upperBound,
                let port = Int(text[start...].prefix { $0.isNumber }), text.hasSuffix("}")
            {
                return (number, port)
            }
            if waitpid(number, nil, WNOHANG) == number || RunLimit.isOver {
                let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "no log"
                throw Failure(description: "nats-server did not start: \(log)")
            }
            usleep(1000)
        }
    }

    /// Runs a program to its end.
    package static func run(_ arguments: [String]) throws {
        var status: CInt = 0
        let number = try spawn(arguments)
        guard waitpid(number, &status, 0) == number, status == 0 else {
            throw Failure(description: "\(arguments[0]) ended with status \(status)")
        }
    }

    /// Starts the program with no descriptors but the standard ones, which lead nowhere.
    private static func spawn(_ arguments: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number: CInt in 0...2 {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        clinux_spawn_close_from(&actions, 3)
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var number = pid_t()
        // The thread that starts it has all signals blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let code = posix_spawn(
            &number,
            arguments[0],
            &actions,
            &attributes,
            &pointers,
            clinux_environment()
        )
        guard code == 0 else {
            throw Failure(description: "cannot start \(arguments[0]): \(String(cString: strerror(code)))")
        }
        return number
    }
}
