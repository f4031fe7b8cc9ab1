import Bus
import TapBridge

/// Asks a tap, and waits for its answers.
enum TapQuestion {
    /// Blocks until the signal has ended or a signal of the system comes; returns how it ended.
    ///
    /// - Parameter answer: is called with each answer, on the thread that reads them.
    static func ask<Answer: Sendable>(
        _ answers: some Signal<Answer, TapClientError>,
        _ answer: @escaping @Sendable (Answer) -> Void
    ) throws(ExitStatus) -> ExitStatus {
        let outcome = TailOutcome()
        let interruptions = try Interruptions()
        interruptions.watchSignals(outcome) { 0 }
        let output = interruptions.watchOutput(outcome) { .matched }
        defer { output.dispose() }
        let asking = answers.subscribe(
            next: answer,
            failed: { outcome.decide(.sourceLost, because: $0.description) },
            completed: { outcome.decide(.matched) }
        )
        let end = outcome.wait()
        asking.dispose()
        if let reason = end.reason { StandardError.report(reason) }
        return end.status
    }
}
