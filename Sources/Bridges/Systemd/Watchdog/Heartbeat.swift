import Bus
import Synchronization
import Timers

/// When a health signal was last heard.
final class Heartbeat: Sendable {
    private let name: String
    private let period: Duration
    private let now: @Sendable () -> TimerInstant
    /// Nanoseconds on the scheduler's clock.
    private let last: Atomic<Int64>
    private let failure = Lock<String?>(nil)

    init(_ signal: HealthSignal, now: @escaping @Sendable () -> TimerInstant) {
        name = signal.name
        period = signal.period
        self.now = now
        last = Atomic(now().nanoseconds)
    }

    func heard() { last.store(now().nanoseconds, ordering: .relaxed) }

    func failed(_ reason: String) { failure.withLock { $0 = reason } }

    /// The problem at `instant`; nil when there is none.
    func stall(at instant: TimerInstant) -> StalledHealth? {
        let failure = failure.withLock { $0 }
        let silence = TimerInstant(nanoseconds: last.load(ordering: .relaxed)).duration(to: instant)
        guard failure != nil || silence > period else { return nil }
        return StalledHealth(name: name, silence: silence, failure: failure)
    }
}
