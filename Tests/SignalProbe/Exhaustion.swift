import Bus
import Glibc
import OSSignalBridge

/// With no descriptor to be had.
enum Exhaustion {
    static func run() throws {
        let set = try OSSignalSet([SIGUSR1])
        let before = Limits.descriptors
        // First without even the loop, then with the loop alone.
        Limits.descriptors = 3
        subscribe(set).dispose()
        Limits.descriptors = 5
        subscribe(set).dispose()
        do {
            try set.block()
        } catch {
            Output.line("block: \(error)")
        }
        Limits.descriptors = before
        let subscription = subscribe(set)
        Output.line("listening")
        _ = readLine()
        subscription.dispose()
    }

    private static func subscribe(_ set: OSSignalSet) -> any Disposable {
        Signals.osSignals(set).subscribe(
            next: { Output.line("heard \($0.number)") },
            failed: { Output.line("failed: \($0)") }
        )
    }
}
