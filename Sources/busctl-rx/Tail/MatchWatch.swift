import Bus
import Timers

/// Notices when no match came for too long.
///
/// The `timeout` operator would count the time of writing, in which no match can come, and cut the output short for a
/// reader with a pager. Here the time stands still while the output waits for its reader.
final class MatchWatch: Disposable {
    private let onSilence: @Sendable (_ value: String?) -> Void
    private let scheduler = TimerScheduler.shared
    private let timer = SerialTimer()
    private let state: Lock<MatchDeadline>

    /// Begins to count at once.
    ///
    /// - Parameter onSilence: called at most once, on the timers' thread, with the value that fell silent where
    ///   matches are grouped and one was heard.
    init(_ limit: Duration, onSilence: @escaping @Sendable (_ value: String?) -> Void) {
        self.onSilence = onSilence
        let now = scheduler.now
        state = Lock(MatchDeadline(limit, from: now))
        arm(now.advanced(by: limit))
    }

    func dispose() { timer.dispose() }

    var isDisposed: Bool { timer.isDisposed }

    /// A match is being written: the time until `release` does not count.
    func hold() {
        let now = scheduler.now
        state.withLock { $0.hold(at: now) }
    }

    /// The writing of something other than a match is over.
    func release() {
        let now = scheduler.now
        if let deadline = state.withLock({ $0.release(at: now) }) { arm(deadline) }
    }

    /// The writing of a match is over; the time starts again.
    ///
    /// - Parameter value: the value of its group, if any.
    func release(afterMatchOf value: String?) {
        let now = scheduler.now
        if let deadline = state.withLock({ $0.release(at: now, afterMatchOf: value) }) { arm(deadline) }
    }

    /// How many matches had a value that is not waited for, because there are too many.
    var unwatched: Int { state.withLock { $0.unwatched } }

    private func arm(_ deadline: TimerInstant) {
        timer.schedule(at: deadline, on: scheduler) { [weak self] in self?.check() }
    }

    private func check() {
        let now = scheduler.now
        switch state.withLock({ $0.check(at: now) }) {
        case .asleep: return
        case .early(let deadline): arm(deadline)
        case .silence(let value): onSilence(value)
        }
    }
}
