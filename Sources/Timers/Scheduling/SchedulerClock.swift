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
    public func sleep(until deadline: TimerInstant, tolerance: Duration? = nil) async throws {
        try await scheduler.sleep(until: deadline)
    }
}

extension TimedScheduler {
    /// This scheduler's clock, for code that takes one.
    public var clock: SchedulerClock<Self> { SchedulerClock(self) }
}
