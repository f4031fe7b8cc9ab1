import Bus
import RecordSources
import TapBridge
import Timers

/// Asks a tap, and waits for its answers.
enum TapQuestion {
    /// How long a program may take for an answer, as long as a call on D-Bus. A program that is stopped gives none.
    private static let patience = Duration.seconds(25)

    /// Blocks until the signal has ended or a signal of the system comes; returns how it ended.
    ///
    /// - Parameters:
    ///   - path: of the tap, for messages.
    ///   - pause: the time between two questions.
    ///   - writes: whether the answers are written: then a reader that goes away ends it.
    ///   - answer: is called with each answer, on the thread that reads them.
    static func ask<Answer: Sendable>(
        _ path: String,
        _ answers: some Signal<Answer, TapClientError>,
        pause: Duration = .zero,
        writes: Bool = true,
        _ answer: @escaping @Sendable (Answer) -> Void
    ) throws(ExitStatus) -> ExitStatus {
        let outcome = TailOutcome()
        let interruptions = try Interruptions()
        interruptions.watchSignals(outcome) { 0 }
        let output = writes ? interruptions.watchOutput(outcome) { .matched } : FinishedDisposable()
        defer { output.dispose() }
        let silence = SourceError(
            of: path,
            "the program that serves \(path) has not answered for \(patience); is it stopped?"
        )
        let asking = answers.mapError { SourceError(of: path, $0.description) }
            .timeout(patience + pause, failing: silence)
            .subscribe(
                next: answer,
                failed: { outcome.decide(.sourceLost, because: $0.reason) },
                completed: { outcome.decide(.matched) }
            )
        let end = outcome.wait()
        asking.dispose()
        if let reason = end.reason { StandardError.report(reason) }
        return end.status
    }
}
