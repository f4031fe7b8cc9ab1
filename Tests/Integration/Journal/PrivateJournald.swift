import Foundation
import Glibc

/// A journald of the test's own, in a namespace that nothing else uses. `stop()` removes every trace of it.
final class PrivateJournald {
    static let program = "/lib/systemd/systemd-journald"
    static let isAvailable =
        Command.exists(program) && geteuid() == 0 && FileManager.default.fileExists(atPath: "/etc/machine-id")
    static let hint = "needs root, \(program) and /etc/machine-id: apt-get install systemd"

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
    ///   - mostFiles: how many archived files are kept.
    ///   - mostUse: how many bytes all files have together.
    init(fileSize: String = "1M", mostFiles: Int = 10_000, mostUse: String = "2G") throws {
        namespace = "rx" + UUID().uuidString.replacingOccurrences(of: "-", with: "").prefix(12).lowercased()
        try FileManager.default.createDirectory(atPath: "/etc/systemd", withIntermediateDirectories: true)
        try """
        [Journal]
        Storage=volatile
        RuntimeMaxFileSize=\(fileSize)
        RuntimeMaxFiles=\(mostFiles)
        RuntimeMaxUse=\(mostUse)
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
            guard process.isRunning else { throw Command.Failure(description: "journald has ended") }
            return FileManager.default.fileExists(atPath: runtime + "/socket")
                && hasEntries
        }
    }

    /// Whether journald has said in its journal that it started.
    private var hasEntries: Bool {
        guard let file = FileHandle(forReadingAtPath: files + "/system.journal") else { return false }
        defer { try? file.close() }
        // Where the file's header counts its entries.
        guard (try? file.seek(toOffset: 152)) != nil, let count = try? file.read(upToCount: 8) else { return false }
        return count.contains { $0 != 0 }
    }

    /// Where it takes entries.
    var entrySocket: String { runtime + "/socket" }

    /// Runs journald, which `halt()` has ended, again.
    func start() throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = [namespace]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Ends journald; its journal stays.
    func halt() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Kills journald, which leaves its file open for writing, and runs it again.
    func crash() throws {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: runtime + "/socket")
        let path = files + "/system.journal"
        // Between two files there is none of that name.
        let crashed = try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try start()
        try Deadline.wait("a new file") {
            let fresh = try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
            return fresh != nil && fresh != crashed
        }
        try waitUntilReady()
    }

    /// Asks for a new file.
    func rotate() { kill(process.processIdentifier, SIGUSR2) }

    /// Keeps it from doing anything while `body` runs.
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

    /// Hands an entry over, and waits if journald has no room for it at the moment.
    func send(_ fields: [(name: String, value: String)]) throws {
        let datagram = Array(fields.map { "\($0.name)=\($0.value)\n" }.joined().utf8)
        try socket.send(datagram, to: entrySocket)
    }
}
