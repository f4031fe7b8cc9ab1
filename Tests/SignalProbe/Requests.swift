import Bus
import Glibc
import OSSignalBridge

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
        let subscription = Signals.reloadRequests().subscribe(
            next: { _ in
                Output.line("reloading")
                // The reload ends when the test says so.
                _ = readLine()
                Output.line("reloaded")
            },
            failed: { Output.line("failed: \($0)") }
        )
        Output.line("listening")
        while true { pause() }
        subscription.dispose()
    }
}
