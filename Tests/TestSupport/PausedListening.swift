package import Bus
package import BusTesting
import Testing

/// A subscription that pauses after a given number of values. Its test waits for what it hears.
package final class PausedListening<Value: Sendable, Failure: Error>: Sendable {
    private let news = NewsBoard()
    package let recorder: PausingRecorder<Value, Failure>

    package init<Source: Signal>(
        _ signal: Source,
        after count: Int
    ) where Source.Value == Value, Source.Failure == Failure {
        recorder = PausingRecorder(
            signal,
            after: count,
            onNext: { [news] _ in news.post() },
            onEnd: { [news] in news.post() }
        )
    }

    package var values: [Value] { recorder.values }
    package var lost: Int { recorder.lost }
    package var overrun: Int { recorder.overrun }

    package func release(_ count: Int = .max) { recorder.release(count) }

    package func dispose() { recorder.dispose() }

    /// Returns once the condition holds.
    package func wait(_ what: String, until condition: (PausedListening) -> Bool) throws {
        guard news.wait(until: { condition(self) }) else {
            throw NewsBoard.Timeout(description: "waited for \(what) in vain; heard \(recorder.events), lost \(lost)")
        }
    }

    package func waitForValues(_ count: Int) throws { try wait("\(count) values") { $0.recorder.valueCount >= count } }

    /// Returns when the source has asked to be called back.
    package func waitForPause() throws { try wait("the source to pause") { $0.recorder.isAwaited } }

    package func waitForEnd() throws { try wait("the end") { $0.recorder.hasEnded } }
}
