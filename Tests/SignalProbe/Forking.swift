import Bus
import Glibc
import OSSignalBridge
import Synchronization

// Swift hides it, for good reason: only code that is safe in a signal handler may run in the child.
@_silgen_name("fork")
private func fork() -> pid_t

/// A child made by fork alone. It has the handlers, but no thread that reads.
enum Forking {
    static func run() throws {
        let subscription = Signals.osSignals(try OSSignalSet([SIGTERM, SIGUSR1])).subscribe(
            next: { Output.line("heard \($0.number)") },
            failed: { Output.line("failed: \($0)") }
        )
        let child = fork()
        if child == 0 {
            // Waits until the test is gone. There is nothing to read but the end.
            var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
            while poll(&input, 1, -1) <= 0 {}
            _exit(0)
        }
        Output.line("child \(child)")
        _ = readLine()
        var status: CInt = 0
        waitpid(child, &status, 0)
        Output.line("ended by \(status & 0x7f)")
        subscription.dispose()
    }
}
