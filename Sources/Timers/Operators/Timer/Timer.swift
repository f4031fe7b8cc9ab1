public import Bus

extension Signals {
    /// One tick after a while, then completion. Cold: each subscription waits for its own.
    ///
    /// ```
    /// timer(after: 10 ms)  ---------0|
    /// ```
    ///
    /// The tick never comes early; it says when it was due and when it came. With a delay of zero or less it comes as
    /// soon as the scheduler can run it; with one beyond the clock's range it never does. While the observer
    /// pauses, the tick waits.
    ///
    /// - Ends: with the tick.
    /// - Fails: never.
    /// - Cancelling: cancels the timer, and frees what the observer holds.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - delay: how long after subscribing the tick is due.
    ///   - scheduler: measures the time and delivers the tick.
    public static func timer(
        after delay: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Tick, Never> {
        TimerSignal(scheduler: scheduler, name: "timer(after: \(delay))", deadline: { $0.advanced(by: delay) })
    }

    /// One tick at an instant of the scheduler's clock, then completion. See ``timer(after:on:)``.
    ///
    /// - Parameters:
    ///   - instant: when the tick is due; if it has passed, at once.
    ///   - scheduler: delivers the tick. The instant is of its clock: ``TimerScheduler`` has the machine's monotonic one,
    ///     ``WallScheduler`` the time of day.
    public static func timer(
        at instant: TimerInstant,
        on scheduler: some TimedScheduler
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
        TimerSubscription(output, due: deadline(scheduler.now), scheduler).start()
        return output.handle
    }

    var chain: Chain { Chain(source: name) }
}

/// Sends the tick. Kept by its timer, or by the request to be called back.
private final class TimerSubscription<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Downstream.Value == Tick, Downstream.Failure == Never {
    private let output: SerialObserver<Downstream>
    private let due: TimerInstant
    private let scheduler: Time
    private let timer = SerialTimer()

    init(_ output: SerialObserver<Downstream>, due: TimerInstant, _ scheduler: Time) {
        self.output = output
        self.due = due
        self.scheduler = scheduler
    }

    func start() {
        output.resources.add(timer)
        arm()
    }

    private func arm() {
        timer.schedule(at: due, on: scheduler) { self.fire() }
    }

    private func fire() {
        // A tick that was due in the past is not early, but it may be due before it was requested.
        let now = max(scheduler.now, due)
        var isSent = false
        var demand = output.nextIfReady {
            isSent = true
            return Tick(index: 0, scheduled: due, actual: now, missed: 0)
        }
        if isSent || demand == .stop { return output.terminate(.completed) }
        if demand == .pause { demand = output.whenReady { self.arm() } }
        if demand != .pause { arm() }
    }
}
