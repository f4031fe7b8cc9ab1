import Bus
import Timers

/// Notices when no match came for too long.
///
/// The `timeout` operator would count the time that writing takes, in which no match can come, and cut the output short
/// for a reader with a pager. Here the time stands still while the reader is being waited for.
final class MatchWatch: Disposable {
    private let onSilence: @Sendable () -> Void
    private let scheduler = TimerScheduler.shared
    private let timer = SerialTimer()
    private let state: Lock<MatchDeadline>

    /// Begins to count at once. `onSilence` is called at most once, on the timers' thread.
    init(_ limit: Duration, onSilence: @escaping @Sendable () -> Void) {
        self.onSilence = onSilence
        let state = MatchDeadline(limit, from: scheduler.now)
        self.state = Lock(state)
        arm(state.deadline)
    }

    func dispose() { timer.dispose() }

    var isDisposed: Bool { timer.isDisposed }

    /// A match is being written: what comes before `release` does not count.
    func hold() {
        let now = scheduler.now
        state.withLock { $0.hold(at: now) }
    }

    /// The writing is over. After a match the counting begins anew.
    func release(afterMatch: Bool) {
        let now = scheduler.now
        if let deadline = state.withLock({ $0.release(at: now, afterMatch: afterMatch) }) { arm(deadline) }
    }

    private func arm(_ deadline: TimerInstant) {
        timer.schedule(at: deadline, on: scheduler) { [weak self] in self?.look() }
    }

    private func look() {
        let now = scheduler.now
        switch state.withLock({ $0.look(at: now) }) {
        case .asleep: return
        case .early(let deadline): arm(deadline)
        case .silence: onSilence()
        }
    }
}
