import Bus
import Timers

/// Notices when no match came for too long.
///
/// The `timeout` operator would count the time that writing takes, in which no match can come: whoever reads the output
/// with a pager would see it cut short. Here the time stands still while the reader is being waited for.
final class SilenceWatch: Disposable {
    private struct State {
        var deadline: TimerInstant
        /// When the writing in progress began.
        var held: TimerInstant?
        /// No timer is scheduled; the end of the writing has to see to one.
        var isAsleep = false
    }

    private let limit: Duration
    private let onSilence: @Sendable () -> Void
    private let scheduler = TimerScheduler.shared
    private let timer = SerialTimer()
    private let state: Lock<State>

    /// Begins to count at once. `onSilence` is called at most once, on the timers' thread.
    init(_ limit: Duration, onSilence: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.onSilence = onSilence
        let deadline = scheduler.now.advanced(by: limit)
        state = Lock(State(deadline: deadline))
        arm(deadline)
    }

    func dispose() { timer.dispose() }

    var isDisposed: Bool { timer.isDisposed }

    /// A match is being written: what comes before `release` does not count.
    func hold() {
        let now = scheduler.now
        state.withLock { $0.held = now }
    }

    /// The writing is over. After a match the counting begins anew.
    func release(afterMatch: Bool) {
        let now = scheduler.now
        let deadline = state.withLock { state -> TimerInstant? in
            guard let held = state.held.take() else { return nil }
            state.deadline = afterMatch ? now.advanced(by: limit) : state.deadline + (now - held)
            defer { state.isAsleep = false }
            return state.isAsleep ? state.deadline : nil
        }
        if let deadline { arm(deadline) }
    }

    private func arm(_ deadline: TimerInstant) {
        timer.schedule(at: deadline, on: scheduler) { [weak self] in self?.look() }
    }

    private func look() {
        let now = scheduler.now
        let next = state.withLock { state -> TimerInstant? in
            state.isAsleep = state.held != nil
            return state.deadline
        }
        if state.withLock({ $0.isAsleep }) { return }
        guard let next, next <= now else { return arm(next ?? now) }
        onSilence()
    }
}
