import Bus
import Dispatch
import Glibc
import Loop
import OSSignalBridge
import Timers

/// The requests to a daemon: to end, and to reload.
enum Requests {
    static func terminate() throws {
        // timeout(1) sends SIGCONT last.
        let continuing = Signals.osSignals(try OSSignalSet([SIGCONT])).subscribe(
            next: { _ in Output.line("continued") },
            failed: { Output.line("failed: \($0)") }
        )
        let subscription = Signals.terminationRequests().subscribe(
            next: { request in
                switch request {
                case .graceful(let signal): Output.line("graceful \(signal.number)")
                case .forced(let signal):
                    Output.line("forced \(signal.number)")
                    signal.endProcess()
                }
            },
            failed: { Output.line("failed: \($0)") }
        )
        Output.line("listening")
        while readLine() != nil {}
        subscription.dispose()
        continuing.dispose()
    }

    static func reload() {
        let mayEnd = DispatchSemaphore(value: 0)
        let subscription = Signals.reloadRequests().subscribe(
            next: { _ in
                Output.line("reloading")
                // The reload ends when the test says so.
                mayEnd.wait()
                Output.line("reloaded")
            },
            failed: { Output.line("failed: \($0)") }
        )
        Output.line("listening")
        while let command = readLine() {
            switch command {
            case "done": mayEnd.signal()
            case "report":
                // The loop runs this after it has passed on what it has read.
                try? EventLoop.shared.perform { Output.line("report") }
            case "idle":
                // The thread of the reloads runs this when no further one is pending. A reload that yielded to others
                // is queued before the second of these.
                ThreadScheduler.shared.schedule {
                    ThreadScheduler.shared.schedule { Output.line("idle") }
                }
            default: Output.line("unknown command \(command)")
            }
        }
        subscription.dispose()
    }
}
