import Bus
import BusTesting
import Testing

/// A subscription that pauses after a given number of values. Its test waits for what it hears.
final class PausedListening<Value: Sendable, Failure: Error>: Sendable {
    private let news = NewsBoard()
    let recorder: PausingRecorder<Value, Failure>

    init<Source: Signal>(
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

    var values: [Value] { recorder.values }
    var lost: Int { recorder.lost }
    var overrun: Int { recorder.overrun }

    func release(_ count: Int = .max) { recorder.release(count) }

    func dispose() { recorder.dispose() }

    /// Returns once the condition holds.
    func wait(_ what: String, until condition: (PausedListening) -> Bool) throws {
        guard news.wait(until: { condition(self) }) else {
            throw NewsBoard.Timeout(description: "waited for \(what) in vain; heard \(recorder.events), lost \(lost)")
        }
    }

    func waitForValues(_ count: Int) throws { try wait("\(count) values") { $0.recorder.valueCount >= count } }

    /// Returns when the source has asked to be called back.
    func waitForPause() throws { try wait("the source to pause") { $0.recorder.isAwaited } }

    func waitForEnd() throws { try wait("the end") { $0.recorder.hasEnded } }
}
