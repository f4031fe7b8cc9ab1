import Bus
import Dispatch
import Glibc
import Loop
import OSSignalBridge
import Timers

/// A daemon's requests: to end, to reload.
enum Requests {
    static func terminate() {
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
                // The loop comes to this when it has handed on what it has read.
                try? EventLoop.shared.perform { Output.line("report") }
            case "idle":
                // The thread of the reloads comes to this when no further one waits. A reload that gave way to others is
                // in the line before the second of these.
                ThreadScheduler.shared.schedule {
                    ThreadScheduler.shared.schedule { Output.line("idle") }
                }
            default: Output.line("unknown command \(command)")
            }
        }
        subscription.dispose()
    }
}
