public import Bus

/// Sends the ticks. Until the subscription ends, its timer keeps it, and so the scheduler does; while the observer
/// pauses, the request to be called back keeps it.
///
/// Inlinable, because caches have gone cold when a tick comes, and looking up generic types then takes microseconds.
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
        let demand = output.nextIfReady { schedule.withLock { $0.tick(at: now) } }
        if demand == .more { arm() } else { pause(demand) }
    }

    @usableFromInline
    func pause(_ demand: Demand) {
        switch demand == .pause ? output.whenReady({ self.resume() }) : demand {
        case .more: arm()
        case .pause: break
        case .stop: output.terminate(.completed)
        }
    }

    private func resume() {
        let now = scheduler.now
        schedule.withLock { $0.resume(at: now) }
        arm()
    }
}
