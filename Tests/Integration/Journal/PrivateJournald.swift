import Foundation
import Glibc

/// The test's own journald, in a namespace that nothing else uses. `stop()` removes every trace of it.
final class PrivateJournald {
    static let program = "/lib/systemd/systemd-journald"
    static let isAvailable =
        Command.exists(program) && geteuid() == 0 && FileManager.default.fileExists(atPath: "/etc/machine-id")
        && hasControlGroups
    static let hint =
        "needs root, \(program), /etc/machine-id (apt-get install systemd), and control groups in /sys/fs/cgroup, "
        + "which are not there by default in a chroot (mount --rbind /sys)"

    /// Version 1 or 2. Without them journald ends at once.
    private static var hasControlGroups: Bool {
        ["cgroup.controllers", "systemd"].contains { FileManager.default.fileExists(atPath: "/sys/fs/cgroup/" + $0) }
    }

    let namespace: String
    private var process = Process()
    private let socket = EntrySocket()

    private var configuration: String { "/etc/systemd/journald@\(namespace).conf" }
    private var runtime: String { "/run/systemd/journal.\(namespace)" }
    var files: String { "/run/log/journal/\(Self.machine).\(namespace)" }

    private static let machine =
        (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8))?.trimmingCharacters(
            in: .whitespacesAndNewlines
        ) ?? ""

    /// - Parameters:
    ///   - maxFiles: how many archived files are kept.
    ///   - maxUse: how many bytes all files have together.
    init(fileSize: String = "1M", maxFiles: Int = 10_000, maxUse: String = "2G") throws {
        namespace = "rx" + UUID().uuidString.replacingOccurrences(of: "-", with: "").prefix(12).lowercased()
        try FileManager.default.createDirectory(atPath: "/etc/systemd", withIntermediateDirectories: true)
        try """
        [Journal]
        Storage=volatile
        RuntimeMaxFileSize=\(fileSize)
        RuntimeMaxFiles=\(maxFiles)
        RuntimeMaxUse=\(maxUse)
        RuntimeKeepFree=1M
        RateLimitIntervalSec=0
        RateLimitBurst=0
        ForwardToSyslog=no
        ForwardToKMsg=no
        ForwardToConsole=no
        ForwardToWall=no

        """.write(toFile: configuration, atomically: true, encoding: .utf8)
        try start()
        try waitUntilReady()
    }

    private func waitUntilReady() throws {
        try Deadline.wait("journald to listen and to have a journal") {
            guard process.isRunning else {
                let command = "\(Self.program) \(namespace)"
                throw Command.Failure(description: "journald has ended; by hand it says why: \(command)")
            }
            return FileManager.default.fileExists(atPath: runtime + "/socket")
                && hasEntries
        }
    }

    /// Whether journald has logged its own start.
    private var hasEntries: Bool {
        guard let file = FileHandle(forReadingAtPath: files + "/system.journal") else { return false }
        defer { try? file.close() }
        // The offset of the number of entries in the file's header.
        guard (try? file.seek(toOffset: 152)) != nil, let count = try? file.read(upToCount: 8) else { return false }
        return count.contains { $0 != 0 }
    }

    /// The socket on which it receives entries.
    var entrySocket: String { runtime + "/socket" }

    /// Starts journald again after `halt()`.
    func start() throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = [namespace]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Ends journald. Its journal stays.
    func halt() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Kills journald, so that its file stays open for writing, and starts it again.
    func crash() throws {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: runtime + "/socket")
        let path = files + "/system.journal"
        // Between two files no file has that name.
        let crashed = try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try start()
        try Deadline.wait("a new file") {
            let fresh = try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
            return fresh != nil && fresh != crashed
        }
        try waitUntilReady()
    }

    /// Makes journald begin a new file.
    func rotate() { kill(process.processIdentifier, SIGUSR2) }

    /// Stops journald while `body` runs.
    func whileStopped(_ body: () throws -> Void) rethrows {
        kill(process.processIdentifier, SIGSTOP)
        defer { kill(process.processIdentifier, SIGCONT) }
        try body()
    }

    func stop() {
        halt()
        for path in [configuration, runtime, files] { try? FileManager.default.removeItem(atPath: path) }
        let persistent = "/var/log/journal/\(Self.machine).\(namespace)"
        try? FileManager.default.removeItem(atPath: persistent)
    }

    /// Sends an entry, and waits while journald has no room for it.
    func send(_ fields: [(name: String, value: String)]) throws {
        let datagram = Array(fields.map { "\($0.name)=\($0.value)\n" }.joined().utf8)
        try socket.send(datagram, to: entrySocket)
    }
}
