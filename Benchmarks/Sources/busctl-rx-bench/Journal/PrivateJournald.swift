import Foundation

/// A separate journald, in a namespace that nothing else uses, so that the system's is not touched.
final class PrivateJournald {
    static let program = "/lib/systemd/systemd-journald"

    let namespace: String
    private let process: Process
    private let socketDescriptor: CInt

    private var runDirectory: String { "/run/systemd/journal.\(namespace)" }
    private var socketPath: String { runDirectory + "/socket" }

    init() throws {
        namespace = "busctl-rx-bench-\(getpid())"
        process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = [namespace]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        socketDescriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socketDescriptor >= 0 else { throw Complaint("cannot make a socket: error \(errno)") }
        try FileManager.default.createDirectory(atPath: runDirectory, withIntermediateDirectories: true)
        try process.run()
        try waitForSocket()
    }

    private func waitForSocket() throws {
        for _ in 0..<100 where access(socketPath, W_OK) != 0 {
            guard process.isRunning else {
                throw Complaint("\(Self.program) ended with status \(process.terminationStatus)")
            }
            usleep(50_000)
        }
    }

    /// Sends one message by journald's own protocol.
    func send(_ message: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socketPath.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Complaint("the path \(socketPath) is too long for a socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let text = Array("MESSAGE=\(message)\nPRIORITY=6\nSYSLOG_IDENTIFIER=bench\n".utf8)
        let sent = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socketDescriptor, text, text.count, 0, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard sent == text.count else {
            throw Complaint("cannot send to \(socketPath): \(String(cString: strerror(errno)))")
        }
    }

    /// Ends it and removes its files.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        close(socketDescriptor)
        let machine = (try? TextFile.read("/etc/machine-id"))?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        for path in [
            runDirectory, "/run/log/journal/\(machine).\(namespace)", "/var/log/journal/\(machine).\(namespace)",
        ] where FileManager.default.fileExists(atPath: path) {
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                FileHandle.standardError.write(Data("cannot remove \(path): \(error.localizedDescription)\n".utf8))
            }
        }
    }
}
