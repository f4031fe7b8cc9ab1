public import Bus

extension Signals {
    /// One tick after a while, then completion. Cold: each subscription waits for its own.
    ///
    /// ```
    /// timer(after: 10 ms)  ---------0|
    /// ```
    ///
    /// The tick never comes early; it says when it was due and when it came. With a delay of zero or less it comes as
    /// soon as the scheduler comes to it; with one beyond the clock's line it never does.
    ///
    /// - Ends: with the tick.
    /// - Fails: never.
    /// - Cancelling: cancels the timer, and frees what the observer holds.
    /// - Buffers: nothing.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - delay: how long after subscribing the tick is due.
    ///   - scheduler: where it is delivered, and whose clock counts.
    public static func timer(
        after delay: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Tick, Never> {
        TimerSignal(scheduler: scheduler, name: "timer(after: \(delay))", deadline: { $0.advanced(by: delay) })
    }

    /// One tick at an instant of the scheduler's clock, then completion. See ``timer(after:on:)``.
    ///
    /// - Parameters:
    ///   - instant: when the tick is due; one that has passed is due at once.
    ///   - scheduler: where it is delivered, and whose clock counts.
    public static func timer(
        at instant: TimerInstant,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Tick, Never> {
        TimerSignal(scheduler: scheduler, name: "timer(at: \(instant))", deadline: { _ in instant })
    }
}

private struct TimerSignal<Time: TimedScheduler>: Signal {
    typealias Value = Tick
    typealias Failure = Never
    let scheduler: Time
    let name: String
    let deadline: @Sendable (_ now: TimerInstant) -> TimerInstant

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Tick, Downstream.Failure == Never {
        let output = SerialObserver(observer)
        let timer = SerialTimer()
        output.resources.add(timer)
        let due = deadline(scheduler.now)
        timer.schedule(at: due, on: scheduler) { [scheduler] in
            // What was due in the past is not early, but it may be due before it was asked for.
            let now = Swift.max(scheduler.now, due)
            _ = output.next(Tick(index: 0, scheduled: due, actual: now, missed: 0))
            output.terminate(.completed)
        }
        return output.handle
    }

    var chain: Chain { Chain(source: name) }
}
