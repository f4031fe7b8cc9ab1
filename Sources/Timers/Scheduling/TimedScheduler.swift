public import Bus

/// A scheduler that knows the time.
///
/// ``TimerScheduler`` uses the machine's clocks, ``WallScheduler`` follows the wall clock, ``ClockScheduler`` uses
/// any clock of yours, and the time of `TestScheduler` in BusTesting moves only when told. Every operator that waits
/// takes one, so that a program's time can be replaced as a whole.
public protocol TimedScheduler: Scheduler {
    /// The reading of the clock that the scheduler's timers run on.
    var now: TimerInstant { get }

    /// Runs `work` once on this scheduler when `deadline` has come: never early, and on time as far as the scheduler
    /// has nothing else to do. A deadline that has passed is due at once, but never runs before this returns.
    ///
    /// Timers that are due run by deadline, and those with the same deadline in the order a thread scheduled them.
    /// Due timers do not wait in the scheduler's queue as many pieces of work, so a timer can be cancelled and
    /// rescheduled until it runs.
    ///
    /// - Returns: the handle that cancels the timer or gives it another deadline. Dropping it does neither.
    func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle
}

extension TimedScheduler {
    /// Runs `work` once on this scheduler, `delay` from now: ``schedule(at:_:)`` with the sum. A delay of zero or
    /// less is due at once; one too long for the clock's range never ends.
    @inlinable
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        schedule(at: now.advanced(by: delay), work)
    }
}

/// A scheduler's clock as Swift's own code takes it: `any Clock<Duration>`.
///
/// The clock of a `TestScheduler` makes code that sleeps on a clock follow virtual time.
public struct SchedulerClock<Time: TimedScheduler>: Clock {
    private let scheduler: Time

    init(_ scheduler: Time) {
        self.scheduler = scheduler
    }

    public var now: TimerInstant { scheduler.now }

    public var minimumResolution: Duration { .nanoseconds(1) }

    /// See ``TimedScheduler/sleep(until:)``. The tolerance is not used.
    ///
    /// - Throws: `CancellationError`, when the task is cancelled.
    public func sleep(until deadline: TimerInstant, tolerance: Duration? = nil) async throws {
        try await scheduler.sleep(until: deadline)
    }
}

extension TimedScheduler {
    /// This scheduler's clock, for code that takes one.
    public var clock: SchedulerClock<Self> { SchedulerClock(self) }
}
