public import Bus

extension Signals {
    /// A tick every period, for as long as it is subscribed to. Cold: each subscription counts from its own start.
    ///
    /// ```
    /// interval(every: 10 ms)                       ---------0---------1---------2--
    /// interval(every: 10 ms, first: .immediately)  0--------1---------2---------3--
    ///
    /// the first tick handled for 35 ms (=)         ---------0==============================--------
    /// missed: .skip                                ---------0                              3---4---
    /// missed: .catchUp(atMost: 10)                 ---------0                              123-4---
    /// missed: .delay                               ---------0                              1-------
    /// ```
    ///
    /// A tick is due at the start plus a whole number of periods, so lateness does not add up. It never comes early,
    /// and it says when it was due, when it came, and how many before it were missed. `missed` says what happens to
    /// ticks that came due while nobody could deliver them; by default they are skipped and counted. The same holds
    /// for ticks that come due while the observer pauses; the interval sleeps until it calls back.
    ///
    /// A period below 16,384 ns is taken as 16,384 ns, zero and negative ones included; one beyond the clock's range
    /// never passes.
    ///
    /// - Ends: never.
    /// - Fails: never.
    /// - Cancelling: cancels the timer, and frees what the observer holds.
    /// - Thread: the scheduler's, also for a first tick that is due at once.
    ///
    /// - Parameters:
    ///   - period: the time from one tick to the next.
    ///   - first: when the first tick is due.
    ///   - missed: what happens to ticks that could not be delivered in time.
    ///   - tolerance: how late a tick may come in order to share a wake-up with others; no more than half a period.
    ///     Timers with a tolerance meet at round instants, which lets an idle machine sleep longer.
    ///   - jitter: how far ticks are put off at random. The time after the jitter is when the tick is due.
    ///   - scheduler: measures the time and delivers the ticks.
    @inlinable
    public static func interval(
        every period: Duration,
        first: IntervalStart = .afterPeriod,
        missed: MissedTicks = .skip,
        tolerance: Duration = .zero,
        jitter: Jitter = .none,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Tick, Never> {
        IntervalSignal(
            period: period,
            first: first,
            missed: missed,
            tolerance: tolerance,
            jitter: jitter,
            scheduler: scheduler
        )
    }
}

@frozen
@usableFromInline
struct IntervalSignal<Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = Tick
    @usableFromInline typealias Failure = Never
    @usableFromInline let period: Duration
    @usableFromInline let first: IntervalStart
    @usableFromInline let missed: MissedTicks
    @usableFromInline let tolerance: Duration
    @usableFromInline let jitter: Jitter
    @usableFromInline let scheduler: Time

    @inlinable
    init(
        period: Duration,
        first: IntervalStart,
        missed: MissedTicks,
        tolerance: Duration,
        jitter: Jitter,
        scheduler: Time
    ) {
        self.period = period
        self.first = first
        self.missed = missed
        self.tolerance = tolerance
        self.jitter = jitter
        self.scheduler = scheduler
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Tick, Downstream.Failure == Never {
        let output = SerialObserver(observer)
        let schedule = IntervalSchedule(
            start: scheduler.now,
            period: period,
            first: first,
            missed: missed,
            tolerance: tolerance,
            jitter: jitter
        )
        IntervalSubscription(output, schedule, scheduler).start()
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(source: "interval(every: \(period))") }
}

/// When an interval's first tick is due.
public enum IntervalStart: Sendable, Hashable {
    /// One period after subscribing.
    case afterPeriod
    /// At once.
    case immediately
    /// At an instant of the scheduler's clock. An instant that has passed sets the beat: the first tick is due a
    /// whole number of periods after it.
    case at(TimerInstant)
}

/// The way in which an interval treats ticks that came due while nobody could deliver them: because of a slow
/// handler, a busy scheduler, or a stopped process.
public enum MissedTicks: Sendable, Hashable {
    /// The latest of them comes at once and says how many were missed before it; the beat goes on as it was.
    ///
    /// Ticks that come due while the observer pauses are left out altogether, because it then has older ticks to
    /// handle: the next one comes at its time and counts them.
    case skip
    /// They come one right after another, at most so many in addition to the first; ticks before them are skipped and
    /// counted. The beat goes on as it was. Ticks that come due while the observer pauses come as soon as it
    /// is ready, and no faster than it takes them.
    case catchUp(atMost: Int)
    /// One comes at once, or when the observer is ready, and a new beat begins with it. So none is missed, and the
    /// next is a period away.
    case delay
}
