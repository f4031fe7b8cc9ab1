public import Bus

extension Signals {
    /// A tick at each of a calendar's times, for as long as it is subscribed to. Cold.
    ///
    /// ```
    /// interval(calendar: *:0/15)                12:10 ---12:15---12:30---12:45---
    /// the clock set from 12:20 to 12:50         12:10 ---12:15------12:45--------  one missed
    /// the clock set from 12:40 back to 12:20    12:10 ---12:15---12:30---12:30---
    /// ```
    ///
    /// A tick is never early on the wall clock. If several come due while nobody can deliver them (a slow handler, a
    /// stopped or suspended machine, a clock set forward), the latest of them comes at once, and says how many were
    /// missed before it, counted to 100,000; with ``MissedTimes/runAll`` all come. Ticks that come due while the
    /// observer pauses are left out altogether, and the next one, at its time, counts them. When the clock is set back,
    /// times that come again tick again.
    ///
    /// A delay shifts all of that: ``Tick/scheduled`` is the calendar's time plus the delay, and a tick is due, missed
    /// or repeated by that time. So the first tick can belong to one of the calendar's times before the subscription.
    ///
    /// - Ends: after the calendar's last time, when it has one.
    /// - Fails: never.
    /// - Cancelling: takes the timer back.
    /// - Thread: ticks come on `scheduler`.
    ///
    /// - Parameters:
    ///   - calendar: the times.
    ///   - missed: what becomes of times for which no tick could come.
    ///   - grace: how late a tick may come; a later one is left out, and the next one counts it. It applies to every
    ///     tick, so it has to be longer than the scheduler's own lateness. Nil for any time.
    ///   - jitter: how long after the calendar's times the ticks come.
    ///   - scheduler: delivers the ticks; its wall clock is used.
    public static func interval(
        calendar: CalendarSchedule,
        missed: MissedTimes = .runOnce,
        within grace: Duration? = nil,
        jitter: Jitter = .none,
        on scheduler: some WallTimedScheduler = WallScheduler.shared
    ) -> some Signal<Tick, Never> {
        CalendarSignal<_, Never>(
            calendar: calendar,
            missed: missed,
            grace: grace,
            jitter: jitter,
            scheduler: scheduler,
            stamp: UnstampedCalendar()
        )
    }

    /// A tick at each of a calendar's times, also for times when this program did not run: `missed` says what becomes of
    /// the ticks that were due since that of the stamp. By default, the latest of them comes at once, and counts the
    /// others. Cold. See ``Signals/interval(calendar:missed:within:jitter:on:)``.
    ///
    /// ```
    /// interval(calendar: 1/4:00)
    /// stamped 01:00, subscribed 09:30       09:30 -09:30---13:00---17:00---  one missed
    /// the same, with a delay of one hour    09:30 -09:30---10:00---14:00---
    /// the same, missed: .skip               09:30 --------10:00---14:00---  one missed
    /// ```
    ///
    /// The stamp is a file's time of modification: the calendar's time (without the delay) up to which ticks have come.
    /// It is written after a tick was delivered. So a tick that was being handled when the process died comes again,
    /// and so does a tick that was left out because the observer paused; with ``MissedTimes/skip`` neither does. A stamp
    /// in the future means that the clock was wrong.
    /// With such a stamp, and without a file, nothing is caught up. The stamp is also written at the beginning, so
    /// that a file that cannot be written is found before the first tick. `touch` marks all of the calendar's times
    /// until now as done.
    ///
    /// The stamp belongs to one signal of one program. It is no lock: two programs that use it both get all ticks.
    ///
    /// - Ends: after the calendar's last time, when it has one.
    /// - Fails: with ``CalendarStampError`` when the file cannot be read or written.
    /// - Cancelling: takes the timer back; the file stays.
    /// - Thread: ticks come on `scheduler`, which also reads and writes the file.
    ///
    /// - Parameters:
    ///   - calendar: the times.
    ///   - stamp: the file's path, in a folder that exists.
    ///   - missed: what becomes of times for which no tick could come.
    ///   - grace: how late a tick may come; a later one is left out, and the next one counts it. It applies to every
    ///     tick, so it has to be longer than the scheduler's own lateness. Nil for any time.
    ///   - jitter: how long after the calendar's times the ticks come. It may be changed between two runs.
    ///   - scheduler: delivers the ticks; its wall clock is used.
    public static func interval(
        calendar: CalendarSchedule,
        stampedIn stamp: String,
        missed: MissedTimes = .runOnce,
        within grace: Duration? = nil,
        jitter: Jitter = .none,
        on scheduler: some WallTimedScheduler = WallScheduler.shared
    ) -> some Signal<Tick, CalendarStampError> {
        CalendarSignal(
            calendar: calendar,
            missed: missed,
            grace: grace,
            jitter: jitter,
            scheduler: scheduler,
            stamp: CalendarStamp(path: stamp)
        )
    }
}

/// A memory of the last tick.
private protocol CalendarMemory<Failure>: Sendable {
    associatedtype Failure: Error
    func read() throws(Failure) -> TimerInstant?
    func write(_ instant: TimerInstant) throws(Failure)
}

extension CalendarStamp: CalendarMemory {}

private struct UnstampedCalendar: CalendarMemory {
    func read() throws(Never) -> TimerInstant? { nil }
    func write(_ instant: TimerInstant) throws(Never) {}
}

private struct CalendarSignal<Time: WallTimedScheduler, Failure: Error>: Signal {
    typealias Value = Tick
    let calendar: CalendarSchedule
    let missed: MissedTimes
    let grace: Duration?
    let jitter: Jitter
    let scheduler: Time
    let stamp: any CalendarMemory<Failure>

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Tick, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        let subscription = CalendarSubscription(output, self)
        subscription.start()
        return output.handle
    }

    var chain: Chain { Chain(source: "interval(calendar: \(calendar))") }
}

/// Sends the ticks. Kept by its timer, and so by the scheduler, or, while the observer pauses, by the request to
/// be called back, until the subscription ends.
private final class CalendarSubscription<Downstream: Observer & ~Copyable, Time: WallTimedScheduler>: Sendable
where Downstream.Value == Tick {
    private let output: SerialObserver<Downstream>
    private let signal: CalendarSignal<Time, Downstream.Failure>
    private let timer = SerialTimer()
    private struct Progress: Sendable {
        /// Nil until the stamp was read.
        var calendar: CalendarState?
        /// The observer pauses, and calls back when it is ready; until then there is no timer.
        var isPaused = false
    }

    private let state = Lock(Progress())
    private let subscribed: TimerInstant

    init(_ output: SerialObserver<Downstream>, _ signal: CalendarSignal<Time, Downstream.Failure>) {
        self.output = output
        self.signal = signal
        subscribed = signal.scheduler.now
    }

    func start() {
        output.resources.add(timer)
        // On the scheduler, because the stamp is read there; the timer keeps this object.
        timer.schedule(at: .distantPast, on: signal.scheduler) { self.begin() }
    }

    private func begin() {
        let now = signal.scheduler.now
        do throws(Downstream.Failure) {
            // A stamp in the future means that the clock was wrong then.
            let stamp = try signal.stamp.read().flatMap { $0 > now ? nil : $0 }
            let calendar = CalendarState(
                signal.calendar,
                signal.jitter,
                missed: signal.missed,
                grace: signal.grace,
                done: stamp,
                at: min(subscribed, now)
            )
            try signal.stamp.write(calendar.done)
            state.withLock { $0.calendar = calendar }
        } catch {
            return output.terminate(.failed(error))
        }
        let steps = signal.scheduler.steps.subscribe(next: { [weak self] _ in self?.clockWasSet() })
        output.resources.add(steps)
        fire()
    }

    private func arm() {
        let (next, isPaused) = state.withLock { ($0.calendar?.next, $0.isPaused) }
        // The end of the pause sets the timer.
        if isPaused { return }
        guard let next else { return output.terminate(.completed) }
        timer.schedule(at: next, on: signal.scheduler) { self.fire() }
    }

    private func clockWasSet() {
        let now = signal.scheduler.now
        if state.withLock({ $0.calendar?.clockWasSet(to: now) == true }) { arm() }
    }

    private func fire() {
        let now = signal.scheduler.now
        do throws(Downstream.Failure) {
            goOn(after: try deliver(at: now))
        } catch {
            output.terminate(.failed(error))
        }
    }

    /// Delivers the due tick, if the observer is ready.
    private func deliver(at now: TimerInstant) throws(Downstream.Failure) -> Demand {
        var done: TimerInstant?
        let demand = output.nextIfReady {
            state.withLock { state in
                let tick = state.calendar?.tick(at: now)
                if tick != nil { done = state.calendar?.done }
                return tick
            }
        }
        if let done { try signal.stamp.write(done) }
        return demand
    }

    private func goOn(after demand: Demand) {
        switch demand {
        case .more: arm()
        case .stop: output.terminate(.completed)
        case .pause: pause()
        }
    }

    private func pause() {
        // The end does not wait for the observer.
        guard state.withLock({ $0.calendar?.next }) != nil else { return output.terminate(.completed) }
        state.withLock { $0.isPaused = true }
        switch output.whenReady({ self.resume() }) {
        case .pause: break
        case .stop: output.terminate(.completed)
        case .more:
            state.withLock { $0.isPaused = false }
            arm()
        }
    }

    private func resume() {
        let now = signal.scheduler.now
        state.withLock { state in
            state.isPaused = false
            state.calendar?.resume(at: now)
        }
        arm()
    }
}
