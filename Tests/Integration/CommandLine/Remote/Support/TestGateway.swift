import Foundation
import Glibc
import TestSupport

/// A real systemd-journal-gatewayd on a loopback port that serves the journal files of a folder. It is ended with this object.
final class TestGateway {
    static let program = "/lib/systemd/systemd-journal-gatewayd"
    static let isAvailable = SyntheticJournal.isAvailable && Command.exists(program) && Command.exists("/usr/bin/curl")
    static let hint = "needs systemd-journal-gatewayd and curl: apt-get install systemd-journal-remote curl"

    var port: UInt16 { reserved.port }
    /// Has the port while no server listens on it, so that no other test gets it. It refuses connections.
    private let reserved: LoopbackSocket
    private let arguments: [String]
    private var pid: pid_t?

    /// - Parameter arguments: further ones, such as a certificate.
    init(_ directory: String, _ arguments: [String] = []) throws {
        reserved = try LoopbackSocket(listens: false)
        self.arguments = ["--directory=\(directory)"] + arguments
        try start()
    }

    deinit {
        stop()
    }

    /// As an option of busctl-rx.
    var from: String { "--from=http://127.0.0.1:\(port)" }

    /// Starts it on the port that it had.
    func start() throws {
        let socket = try LoopbackSocket(port: port)
        let plan = try SpawnPlan()
        plan.pass(socket.number, as: 3)
        // It takes the socket only if it is named with its own process.
        let script = "LISTEN_PID=$$ LISTEN_FDS=1 exec \(Self.program) \"$@\" 2>/dev/null"
        let words = ["-c", script, "gateway"] + arguments
        pid = try plan.spawn("/bin/sh", words.map { Array($0.utf8) }, ["PATH": "/usr/bin:/bin"])
    }

    /// Ends it at once. From then on the port refuses connections.
    func stop() {
        guard let pid = pid.take() else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }
}

/// A listening socket on the loopback interface.
final class LoopbackSocket: Sendable {
    let number: Int32
    let port: UInt16

    /// - Parameters:
    ///   - port: zero for one that is free. Only one socket of a port can listen.
    ///   - listens: whether it takes connections.
    init(port: UInt16 = 0, listens: Bool = true) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var on: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = number
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, length) == 0 && (!listens || listen(number, 64) == 0)
                    && getsockname(number, address, &length) == 0
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        guard isBound else {
            close(number)
            throw Command.Failure(description: "no socket on port \(port), errno \(errno)")
        }
    }

    deinit {
        close(number)
    }
}
