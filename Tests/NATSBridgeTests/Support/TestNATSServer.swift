#if NATS
    import Bus
    import Foundation
    import Glibc
    import NATSBridge
    import TestSupport

    /// A `nats-server` of the test's own on a loopback port that it chose, with a folder of its own. It is ended with this object.
    final class TestNATSServer: Sendable {
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        let folder: String
        let port: Int
        private let process: Lock<Process>

        /// - Parameter configuration: lines for its configuration file.
        static func start(_ configuration: String = "") async throws -> TestNATSServer {
            try await offThePool { Result { try TestNATSServer(configuration) } }.get()
        }

        private init(_ configuration: String) throws {
            var name = Array("/tmp/busctl-rx-nats-XXXXXX".utf8CString)
            guard let made = mkdtemp(&name) else { throw Failure(description: "no folder, errno \(errno)") }
            folder = String(cString: made)
            try configuration.replacing("FOLDER", with: folder)
                .write(toFile: folder + "/server.conf", atomically: false, encoding: .utf8)
            let (process, port) = try Self.start(folder, port: -1)
            self.process = Lock(process)
            self.port = port
        }

        deinit {
            end()
            try? FileManager.default.removeItem(atPath: folder)
        }

        var url: String { "nats://127.0.0.1:\(port)" }

        /// A connection that tries soon to be made again.
        func connection(_ change: (inout NATSOptions) -> Void = { _ in }) -> NATSConnection {
            var options = NATSOptions(url)
            options.reconnectWait = .milliseconds(20)
            change(&options)
            return NATSConnection(options)
        }

        /// Ends the server at once, as a crash does.
        func stop() async { await offThePool { self.end() } }

        /// Starts it again on the same port.
        func restart() async throws {
            try await offThePool {
                Result {
                    self.end()
                    let (started, _) = try Self.start(self.folder, port: self.port)
                    self.process.withLock { $0 = started }
                }
            }.get()
        }

        /// Lets the server do nothing until ``resume()``.
        func suspend() { kill(number, SIGSTOP) }

        func resume() { kill(number, SIGCONT) }

        private var number: pid_t { process.withLock { $0.processIdentifier } }

        private func end() {
            let process = process.withLock { $0 }
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        private static func start(_ folder: String, port: Int) throws -> (Process, Int) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/sbin/nats-server")
            process.arguments = ["-a", "127.0.0.1", "-p", "\(port)", "-c", folder + "/server.conf"]
            let output = Pipe()
            process.standardError = output
            try process.run()
            let reader = output.fileHandleForReading
            var log = ""
            while !log.contains("Server is ready") {
                let data = reader.availableData
                guard !data.isEmpty else { throw Failure(description: "nats-server did not start: \(log)") }
                log += String(decoding: data, as: UTF8.self)
            }
            // What it says later goes nowhere, and does not fill the pipe.
            reader.readabilityHandler = { if $0.availableData.isEmpty { $0.readabilityHandler = nil } }
            let address = log.firstRange(of: "client connections on 127.0.0.1:")
            guard let digits = address.map({ log[$0.upperBound...].prefix { $0.isNumber } }), let port = Int(digits)
            else {
                throw Failure(description: "nats-server told no port: \(log)")
            }
            return (process, port)
        }
    }

    /// Returns when `condition` is true, or the run's time is over.
    func until(_ condition: @Sendable () -> Bool) async {
        while !condition(), !RunLimit.isOver {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
#endif
