import Foundation
import Glibc
import TestSupport

/// A real sshd, which ssh starts for each connection, and whose journalctl reads the journal of a scene.
struct TestSSHServer {
    static let isAvailable =
        SyntheticJournal.isAvailable && Command.exists("/usr/sbin/sshd") && Command.exists("/usr/bin/ssh")
    static let hint = "needs ssh and sshd: apt-get install openssh-client openssh-server"

    let environment: [String: String]
    private let folder: TemporaryFolder

    init(_ scene: RemoteScene) throws {
        folder = scene.folder
        // sshd wants it where it is started by root.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        for name in ["host", "user"] {
            let made = try Command.run(
                "/usr/bin/ssh-keygen",
                ["-q", "-t", "ed25519", "-N", "", "-f", folder.path(name)]
            )
            guard made.status == 0 else { throw Command.Failure(description: "no key, status \(made.status)") }
        }
        try FileManager.default.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: false)
        try RemoteScene.install(
            "exec /usr/bin/journalctl -D '\(scene.journal)' \"$@\"",
            at: folder.path("there/journalctl")
        )
        try RemoteScene.install(
            """
            test -e '\(folder.path("down"))' && exit 1
            echo $$ >> '\(folder.path("sessions"))'
            exec /usr/sbin/sshd -i -f '\(folder.path("sshd_config"))' -E '\(folder.path("log"))'
            """,
            at: folder.path("proxy")
        )
        try """
        HostKey \(folder.path("host"))
        AuthorizedKeysFile \(folder.path("user.pub"))
        StrictModes no
        UsePAM no
        SetEnv PATH=\(folder.path("there")):/usr/bin:/bin

        """.write(toFile: folder.path("sshd_config"), atomically: false, encoding: .utf8)
        try """
        Host web-1
            ProxyCommand \(folder.path("proxy"))
            IdentityFile \(folder.path("user"))
            IdentitiesOnly yes
            StrictHostKeyChecking no
            UserKnownHostsFile \(folder.path("known"))

        """.write(toFile: folder.path("ssh_config"), atomically: false, encoding: .utf8)
        environment = try scene.environment(
            "ssh",
            "exec /usr/bin/ssh -F '\(folder.path("ssh_config"))' \"$@\""
        )
    }

    /// Ends all connections, and refuses new ones.
    func stop() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path("down")))
        let numbers = try String(contentsOfFile: folder.path("sessions"), encoding: .utf8).split(separator: "\n")
        // Those of connections that have ended may be others' by now.
        for number in numbers.compactMap({ pid_t($0) }) where Self.isServer(number) { kill(number, SIGKILL) }
        unlink(folder.path("sessions"))
    }

    func start() { unlink(folder.path("down")) }

    /// Installs a journalctl on the server.
    func installJournal(_ script: String) throws {
        try RemoteScene.install(script, at: folder.path("there/journalctl"))
    }

    /// Installs busctl-rx on the server.
    ///
    /// - Parameters:
    ///   - program: the program that it is.
    ///   - script: what it does before anything else.
    func installFilter(program: String = TailProcess.program, script: String = "") throws {
        let isAsked = "test \"$1\" = ---build"
        try RemoteScene.install(
            """
            \(isAsked) || printf '%s\\n' "$7" >> '\(folder.path("evaluated"))'
            \(script)
            exec '\(program)' "$@"
            """,
            at: folder.path("there/busctl-rx")
        )
    }

    /// The filters that were evaluated on the server.
    func evaluated() throws -> [Substring] {
        guard FileManager.default.fileExists(atPath: folder.path("evaluated")) else { return [] }
        return try String(contentsOfFile: folder.path("evaluated"), encoding: .utf8).split(separator: "\n")
    }

    private static func isServer(_ pid: pid_t) -> Bool {
        // Since OpenSSH 9.8 the connection's process is called sshd-session.
        (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8))?.hasPrefix("sshd") == true
    }
}
