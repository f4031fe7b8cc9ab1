/// A scheduler's clock in the form that Swift's own code takes: `any Clock<Duration>`.
///
/// `TestScheduler`'s makes code that sleeps on a clock follow virtual time.
public struct SchedulerClock<Time: TimedScheduler>: Clock {
    private let scheduler: Time

    init(_ scheduler: Time) {
        self.scheduler = scheduler
    }

    public var now: TimerInstant { scheduler.now }

    public var minimumResolution: Duration { .nanoseconds(1) }

    /// See ``TimedScheduler/sleep(until:)``. The tolerance is not made use of.
    public func sleep(until deadline: TimerInstant, tolerance: Duration? = nil) async throws {
        try await scheduler.sleep(until: deadline)
    }
}

extension TimedScheduler {
    /// This scheduler's clock, for code that takes one.
    public var clock: SchedulerClock<Self> { SchedulerClock(self) }
}
