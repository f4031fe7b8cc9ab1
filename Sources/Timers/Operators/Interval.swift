public import Bus

/// When an interval's first tick is due.
public enum IntervalStart: Sendable, Hashable {
    /// One period after subscribing.
    case afterPeriod
    /// At once.
    case immediately
}

extension Signals {
    /// A tick every period, for as long as it is subscribed to. Cold: each subscription counts from its own start.
    ///
    /// ```
    /// interval(every: 10 ms)                       ---------0---------1---------2--
    /// interval(every: 10 ms, first: .immediately)  0--------1---------2---------3--
    /// the first tick handled for 25 ms             ---------0-------------------------2----3--
    /// ```
    ///
    /// A tick is due at the start plus a whole number of periods, so lateness does not add up. It never comes early.
    /// Ticks that came due while nobody could deliver them (a slow handler, a busy scheduler, a stopped process) are
    /// skipped: the latest of them comes, at once, and says how many were missed before it. A period below 16,384 ns, the
    /// resolution of timers, is taken as that, zero and negative ones included.
    ///
    /// - Ends: never.
    /// - Fails: never.
    /// - Cancelling: cancels the timer; no tick comes after it.
    /// - Buffers: nothing.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - period: the time from one tick to the next.
    ///   - first: when the first tick is due.
    ///   - scheduler: where the ticks are delivered, and whose clock counts.
    public static func interval(
        every period: Duration,
        first: IntervalStart = .afterPeriod,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Tick, Never> {
        IntervalSignal(period: period, first: first, scheduler: scheduler)
    }
}

private struct IntervalSignal<Time: TimedScheduler>: Signal {
    typealias Value = Tick
    typealias Failure = Never
    let period: Duration
    let first: IntervalStart
    let scheduler: Time

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Tick, Downstream.Failure == Never {
        let output = SerialObserver(observer)
        let schedule = IntervalSchedule(start: scheduler.now, period: period, first: first)
        IntervalSubscription(output, schedule, scheduler).start()
        return output.handle
    }

    var chain: Chain { Chain(source: "interval(every: \(period))") }
}

/// Sends the ticks. Kept by its timer, and so by the scheduler, until the subscription ends.
private final class IntervalSubscription<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
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
        timer.schedule(at: schedule.withLock { $0.next }, on: scheduler) { self.fire() }
    }

    private func fire() {
        let now = scheduler.now
        let tick = schedule.withLock { $0.tick(at: now) }
        guard output.next(tick) == .more else { return output.terminate(.completed) }
        arm()
    }
}
