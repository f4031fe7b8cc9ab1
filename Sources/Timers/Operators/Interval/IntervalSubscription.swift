import Bus

/// Sends the ticks. Kept by its timer, and so by the scheduler, until the subscription ends.
final class IntervalSubscription<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Downstream.Value == Tick, Downstream.Failure == Never {
    private let output: SerialObserver<Downstream>
    private let scheduler: Time
    private let timer = SerialTimer()
    private let schedule: Lock<IntervalSchedule>

    init(_ output: SerialObserver<Downstream>, _ schedule: IntervalSchedule, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        self.schedule = Lock(schedule)
    }

    func start() {
        output.resources.add(timer)
        arm()
    }

    private func arm() {
        timer.schedule(at: schedule.withLock { $0.wake }, on: scheduler) { self.fire() }
    }

    private func fire() {
        let now = scheduler.now
        let tick = schedule.withLock { $0.tick(at: now) }
        guard output.next(tick) == .more else { return output.terminate(.completed) }
        arm()
    }
}
