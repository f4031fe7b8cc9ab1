public import Bus

/// Sends the ticks. Kept by its timer, and so by the scheduler, until the subscription ends.
///
/// Inlinable, for a tick comes to caches that have gone cold, where looking up generic types takes microseconds.
@usableFromInline
final class IntervalSubscription<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Downstream.Value == Tick, Downstream.Failure == Never {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    @usableFromInline let timer = SerialTimer()
    @usableFromInline let schedule: Lock<IntervalSchedule>

    @inlinable
    init(_ output: SerialObserver<Downstream>, _ schedule: IntervalSchedule, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        self.schedule = Lock(schedule)
    }

    @inlinable
    func start() {
        output.resources.add(timer)
        arm()
    }

    @inlinable
    func arm() {
        timer.schedule(at: schedule.withLock { $0.wake }, on: scheduler) { self.fire() }
    }

    @inlinable
    func fire() {
        let now = scheduler.now
        let tick = schedule.withLock { $0.tick(at: now) }
        guard output.next(tick) == .more else { return output.terminate(.completed) }
        arm()
    }
}
