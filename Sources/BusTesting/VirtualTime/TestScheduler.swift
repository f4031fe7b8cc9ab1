import Bus
import Synchronization
public import Timers

/// A scheduler whose time moves only when told, so that a test of hours takes milliseconds and is the same in each
/// run.
///
/// It drives the same timer wheel as the real one, to the nanosecond. Time starts at zero. Nothing runs by itself:
/// ``advance(by:)``, ``advance(to:)`` and ``run(until:)`` run due work, on the calling thread, one piece at a time,
/// by deadline and, for the same deadline on one clock, in the order of scheduling. While a piece runs, ``now`` is its
/// deadline.
///
/// Work without a deadline, given to ``schedule(_:)``, is due at once: it runs in the next such call, or in the
/// present one.
///
/// The machine has two more clocks, ``boot`` and ``wall``, that show the same until it is suspended or the wall clock
/// is set: ``suspend(for:)``, ``stepWall(by:)``. All three are driven together; what is due at the same time on several
/// runs on the monotonic clock first, then on the boot clock, then on the wall clock.
///
/// Scheduling and cancelling may happen on any thread; driving belongs to one thread at a time. A call to advance
/// from inside a piece of work runs nothing itself: it extends the present call to that time.
public final class TestScheduler: TimedScheduler {
    private let state: Lock<VirtualTimeState>
    private let drivingThread = Atomic<UInt>(0)
    /// The owners that handles call, one for each clock.
    private let owners: [Owner]
    let steps = Subject<ClockStep, Never>()

    /// - Parameter wallTime: the time of the wall clock at the beginning; the boot clock shows zero, too.
    public init(wallTime: TimerInstant = TimerInstant(nanoseconds: 0)) {
        let state = Lock(VirtualTimeState())
        state.withLock { $0.stepWall(by: wallTime.nanoseconds) }
        owners = VirtualClock.allCases.map { Owner(state, $0) }
        self.state = state
    }

    deinit {
        // Handles may outlive this. Their shared state is emptied, and the timers are released here and not under the
        // lock.
        var empty = VirtualTimeState()
        state.withLock { state in
            empty.jump(by: state.now)
            swap(&state, &empty)
        }
    }

    public var now: TimerInstant { now(of: .monotonic) }

    /// The monotonic clock, for code that pending work may hold: it must not hold the scheduler, which holds the
    /// work.
    var reading: @Sendable () -> TimerInstant {
        { [state] in TimerInstant(nanoseconds: state.withLock { $0.now }) }
    }

    /// Timers on the boot clock.
    public var boot: VirtualBootScheduler { VirtualBootScheduler(time: self) }

    /// Timers on the wall clock.
    public var wall: VirtualWallScheduler { VirtualWallScheduler(time: self) }

    /// Whether the caller is inside a piece of work that this scheduler runs.
    public var isCurrent: Bool { drivingThread.load(ordering: .relaxed) == pthreadSelf() }

    /// How many timers and pieces of work wait, on all clocks.
    public var pendingCount: Int { state.withLock { $0.count } }

    // MARK: Scheduling

    public func schedule(_ work: @escaping @Sendable () -> Void) {
        state.withLock { state in
            _ = state.schedule(at: state.now, on: .monotonic, TimerWork(work))
        }
    }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        schedule(at: deadline, on: .monotonic, work)
    }

    func schedule(
        at deadline: TimerInstant,
        on clock: VirtualClock,
        _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let token = state.withLock { $0.schedule(at: deadline.nanoseconds, on: clock, TimerWork(work)) }
        return TimerHandle(owner: owners[clock.rawValue], token: token)
    }

    func now(of clock: VirtualClock) -> TimerInstant {
        TimerInstant(nanoseconds: state.withLock { $0.now(of: clock) })
    }

    // MARK: Time

    /// Moves time forward and runs the work that comes due on the way, the end included. A negative duration counts
    /// as zero.
    public func advance(by duration: Duration = .zero) {
        advance(to: now.advanced(by: max(duration, .zero)))
    }

    /// Moves time forward and runs the work that comes due on the way, the end included. Time does not go back: for
    /// an earlier instant only work that is due already runs.
    /// - Parameter instant: on the monotonic clock.
    public func advance(to instant: TimerInstant) {
        drive(to: instant.nanoseconds, endingThere: true)
    }

    /// Runs everything, up to and including the work that is due at `limit`; time ends at the last piece that ran.
    /// With a repeating timer and no limit it does not end.
    /// - Parameter limit: on the monotonic clock.
    public func run(until limit: TimerInstant = .distantFuture) {
        drive(to: limit.nanoseconds, endingThere: false)
    }

    /// Moves time forward without running anything, as if the process had been stopped, or a piece of work had taken
    /// so long. Work that came due meanwhile is late: it runs in the next call to advance, or in the present one.
    public func jump(by duration: Duration) {
        state.withLock { $0.jump(by: duration.saturatedNanoseconds) }
    }

    /// Suspends the machine and resumes it: the boot clock and the wall clock have gone on, the monotonic clock has
    /// not. Runs nothing; work that came due is late, as after ``jump(by:)``. The kernel reports a resume in the same
    /// way as a set clock, with a distance of about zero, and so does this. A negative duration counts as zero.
    public func suspend(for duration: Duration) {
        state.withLock { $0.suspend(for: duration.saturatedNanoseconds) }
        report(.zero)
    }

    /// Sets the wall clock forward, or back when `distance` is negative. Runs nothing; work that becomes due by it,
    /// and the subscribers of the step, run in the next call to advance, or in the present one.
    public func stepWall(by distance: Duration) {
        state.withLock { $0.stepWall(by: distance.saturatedNanoseconds) }
        report(distance)
    }

    private func report(_ distance: Duration) {
        let step = ClockStep(distance: distance, noticed: now(of: .wall))
        schedule { [steps] in steps.send(step) }
    }

    private func drive(to target: Int64, endingThere: Bool) {
        guard state.withLock({ $0.beginDrive(to: target, endingThere: endingThere) }) else { return }
        drivingThread.store(pthreadSelf(), ordering: .relaxed)
        while let work = state.withLock({ $0.takeNext() }) { work.run() }
        drivingThread.store(0, ordering: .relaxed)
    }

    /// Shares the state, so that a handle keeps neither the scheduler nor, once that is gone, its timers.
    private final class Owner: TimerOwner {
        private let state: Lock<VirtualTimeState>
        private let clock: VirtualClock

        init(_ state: Lock<VirtualTimeState>, _ clock: VirtualClock) {
            self.state = state
            self.clock = clock
        }

        func cancelTimer(_ token: TimerToken) {
            // Released here and not under the lock: its deinitialiser may run any code.
            _ = state.withLock { $0.cancel(token, on: clock) }
        }

        func rescheduleTimer(_ token: TimerToken, to deadline: TimerInstant) -> Bool {
            state.withLock { $0.reschedule(token, to: deadline.nanoseconds, on: clock) }
        }
    }
}
