import Bus
import Synchronization
public import Timers

/// A scheduler whose time moves only when it is told, so that a test of hours takes milliseconds and is the same each
/// run.
///
/// It drives the same timer wheel as the real one, to the nanosecond. Time starts at zero. Nothing runs by itself:
/// ``advance(by:)``, ``advance(to:)`` and ``run(until:)`` run what comes due, on the calling thread, one piece at a
/// time, by deadline and, for the same deadline, in the order of scheduling. While a piece runs, ``now`` is its
/// deadline.
///
/// Work without a deadline, given to ``schedule(_:)``, is due at once: it runs in the next such call, or in the present
/// one.
///
/// Scheduling and cancelling may happen on any thread; driving belongs to one thread at a time. A call to advance from
/// inside a piece of work runs nothing itself: it makes the call that is under way go on until then.
public final class TestScheduler: TimedScheduler, TimerOwner {
    private struct State: ~Copyable {
        var wheel = TimerWheel<TimerWork>(startingAt: 0, resolutionBits: 0)
        var now: Int64 = 0
        /// How far the drive that is under way goes.
        var target: Int64?
        /// The time when it has ended, unless work took longer.
        var end = Int64.min
    }

    private let state = Lock(State())
    private let drivingThread = Atomic<UInt>(0)

    public init() {}

    public var now: TimerInstant { TimerInstant(nanoseconds: state.withLock { $0.now }) }

    /// Whether the caller is inside a piece of work that this scheduler runs.
    public var isCurrent: Bool { drivingThread.load(ordering: .relaxed) == pthreadSelf() }

    /// How many timers and pieces of work wait.
    public var pendingCount: Int { state.withLock { $0.wheel.count } }

    // MARK: Scheduling

    public func schedule(_ work: @escaping @Sendable () -> Void) {
        state.withLock { state in
            _ = state.wheel.schedule(at: state.now, TimerWork(work))
        }
    }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        let token = state.withLock { $0.wheel.schedule(at: deadline.nanoseconds, TimerWork(work)) }
        return TimerHandle(owner: self, token: token)
    }

    public func cancelTimer(_ token: TimerToken) {
        // Released here and not under the lock: what it holds may be anybody's.
        _ = state.withLock { $0.wheel.cancel(token) }
    }

    public func rescheduleTimer(_ token: TimerToken, to deadline: TimerInstant) -> Bool {
        state.withLock { $0.wheel.reschedule(token, to: deadline.nanoseconds) }
    }

    // MARK: Time

    /// Moves time forward and runs what comes due on the way, the end included. A negative duration counts as zero.
    public func advance(by duration: Duration = .zero) {
        advance(to: now.advanced(by: max(duration, .zero)))
    }

    /// Moves time forward and runs what comes due on the way, the end included. Time does not go back: for an earlier
    /// instant only what is due already runs.
    public func advance(to instant: TimerInstant) {
        state.withLock { $0.end = max($0.end, instant.nanoseconds) }
        drive(to: instant.nanoseconds)
    }

    /// Runs everything there is, up to and including what is due at `limit`; time ends at the last piece that ran.
    /// With a repeating timer and no limit it does not end.
    public func run(until limit: TimerInstant = .distantFuture) {
        drive(to: limit.nanoseconds)
    }

    /// Moves time forward without running anything, as if the process had been stopped, or a piece of work had taken so
    /// long. What came due meanwhile is late: it runs in the next call to advance, or in the present one.
    public func jump(by duration: Duration) {
        state.withLock { state in
            let now = TimerInstant(nanoseconds: state.now)
            state.now = max(state.now, now.advanced(by: duration).nanoseconds)
        }
    }

    private func drive(to target: Int64) {
        let isOutermost = state.withLock { state -> Bool in
            defer { state.target = max(state.target ?? .min, target) }
            return state.target == nil
        }
        guard isOutermost else { return }
        drivingThread.store(pthreadSelf(), ordering: .relaxed)
        while let work = takeNext() { work.run() }
        drivingThread.store(0, ordering: .relaxed)
    }

    /// The next piece of work; nil ends the drive.
    private func takeNext() -> TimerWork? {
        state.withLock { state -> TimerWork? in
            // A timer for the end of the line never comes, here as on the real clock.
            while let next = state.wheel.nextDeadline, next <= max(state.target ?? .min, state.now), next < .max {
                guard let expired = state.wheel.popExpired(at: next) else { continue }
                state.now = max(state.now, expired.deadline)
                return expired.payload
            }
            state.now = max(state.now, state.end)
            state.target = nil
            state.end = .min
            return nil
        }
    }
}
