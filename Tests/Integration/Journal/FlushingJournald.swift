import Foundation
import Glibc

/// A journald with the behaviour of a real machine: it moves its journal from /run to /var when told to. It sees its
/// own /run and /var/log, which `stop()` removes with it.
final class FlushingJournald {
    static let isAvailable = PrivateJournald.isAvailable && Command.exists("/usr/bin/unshare") && canMount
    static let hint = "needs mount namespaces; \(PrivateJournald.hint)"

    private static let canMount =
        (try? Command.run("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", "/run"]).status) == 0

    private let process = Process()
    private let socket = EntrySocket()
    private let machine: String

    /// The root folder that it sees.
    private var root: String { "/proc/\(process.processIdentifier)/root" }
    var volatileFiles: String { "\(root)/run/log/journal/\(machine)" }
    var persistentFiles: String { "\(root)/var/log/journal/\(machine)" }

    init() throws {
        machine = try String(contentsOfFile: "/etc/machine-id", encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines
        )
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = [
            "-m", "sh", "-c",
            """
            mount -t tmpfs none /run && mount -t tmpfs none /var/log && mkdir -p /run/systemd/journald.conf.d \
            /run/systemd/journal /var/log/journal || exit 1
            printf '[Journal]\\nStorage=auto\\nRuntimeMaxFileSize=512K\\nSystemMaxFileSize=1M\\nRateLimitBurst=0\\n\
            ReadKMsg=no\\nAudit=no\\nForwardToWall=no\\n' > /run/systemd/journald.conf.d/test.conf
            exec \(PrivateJournald.program)
            """,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try Deadline.wait("journald to listen and to have a journal") {
            guard process.isRunning else { throw Command.Failure(description: "journald has ended") }
            return FileManager.default.fileExists(atPath: "\(root)/run/systemd/journal/socket")
                && FileManager.default.fileExists(atPath: "\(volatileFiles)/system.journal")
        }
    }

    /// Makes it move the journal to /var, and waits until the journal is there.
    func flush() throws {
        kill(process.processIdentifier, SIGUSR1)
        try Deadline.wait("the journal to be in /var") {
            FileManager.default.fileExists(atPath: "\(root)/run/systemd/journal/flushed")
        }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    func send(_ number: Int) throws {
        let datagram = Array("MESSAGE=\(number)\nSYSLOG_IDENTIFIER=sender\nNUMBER=\(number)\n".utf8)
        try socket.send(datagram, to: "\(root)/run/systemd/journal/socket")
    }
}
