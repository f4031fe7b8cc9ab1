import Bus
import Glibc
import OSSignalBridge

/// Runs without a free descriptor.
enum Exhaustion {
    static func run() throws {
        let set = try OSSignalSet([SIGUSR1])
        let before = Limits.descriptors
        // First even without the loop, then with the loop alone.
        for limit in [3, 5] as [UInt] {
            Limits.descriptors = limit
            let ended = Latch()
            let subscription = Signals.osSignals(set).subscribe(
                next: { _ in },
                failed: {
                    Output.line("failed: \($0)")
                    ended.open()
                }
            )
            ended.wait()
            subscription.dispose()
        }
        do {
            try set.block()
        } catch {
            Output.line("block: \(error)")
        }
        Limits.descriptors = before
        let subscription = Signals.osSignals(set).subscribe(
            next: { Output.line("heard \($0.number)") },
            failed: { Output.line("failed: \($0)") }
        )
        Output.line("listening")
        _ = readLine()
        subscription.dispose()
    }
}
