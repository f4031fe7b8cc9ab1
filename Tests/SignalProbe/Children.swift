import Bus
import Foundation
import Glibc
import OSSignalBridge

/// Starts children in all ways. Each writes which signals it blocks and ignores.
enum Children {
    private static let words = ["/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]

    static func run() throws {
        let set = try OSSignalSet([SIGTERM, SIGHUP, SIGUSR1, 40])
        try set.block()
        signal(SIGUSR2, SIG_IGN)
        // One of the signals has a listener, another is pending.
        let subscription = Signals.osSignals(try OSSignalSet([SIGHUP])).subscribe(
            next: { Output.line("heard \($0.number)") },
            failed: { Output.line("failed: \($0)") }
        )
        kill(getpid(), SIGTERM)

        Output.line("inherited")
        wait(for: spawn(words, nil))

        Output.line("attributes")
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        try ChildSignals.clean(&attributes)
        wait(for: spawn(words, &attributes))
        posix_spawnattr_destroy(&attributes)

        Output.line("Process")
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        try ChildSignals.withCleanMask { try process.run() }
        process.waitUntilExit()

        Output.line("Process that ends when told to")
        let sleeping = Process()
        sleeping.executableURL = URL(filePath: "/bin/sleep")
        sleeping.arguments = ["100"]
        try ChildSignals.withCleanMask { try sleeping.run() }
        sleeping.terminate()
        sleeping.waitUntilExit()
        Output.line("\(sleeping.terminationReason == .uncaughtSignal) \(sleeping.terminationStatus)")

        // The pending signal is still pending, for the subscriber that asks for it.
        let asked = Signals.osSignals(try OSSignalSet([SIGTERM])).subscribe(
            next: { Output.line("heard \($0.number)") },
            failed: { Output.line("failed: \($0)") }
        )
        _ = readLine()
        asked.dispose()
        subscription.dispose()
    }

    private static func wait(for pid: pid_t) {
        var status: CInt = 0
        waitpid(pid, &status, 0)
    }
}
