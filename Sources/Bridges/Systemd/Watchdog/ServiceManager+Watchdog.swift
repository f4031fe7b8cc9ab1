public import Bus
public import Timers

extension ServiceManager {
    /// Tells the manager at half its watchdog's time that the process lives, as long as every health signal has spoken
    /// within its period. Cold: it pings for as long as it is subscribed to.
    ///
    /// ```
    /// health           --h--h--h--------------h--h
    /// within its period             xxxxxxxxxx
    /// watchdog         p---p---p----w---w---w-p---
    /// ```
    ///
    /// A timer alone would prove nothing: it goes on while the rest of the program hangs. To prove that a thread
    /// works, a health signal has to pass through that thread.
    ///
    /// It looks at the health signals four times in the watchdog's time, and pings at the first look and at every second
    /// one; after a ping that could not be sent, or a stall, at the next. Each ping, and each look at which one was not sent,
    /// is reported. A ping does not wait for capacity in the manager's queue.
    ///
    /// - Ends: at once, when the manager expects no pings (``watchdogInterval``); otherwise never.
    /// - Fails: never; problems are reported, because ending would gain nothing.
    /// - Cancelling: ends the pings and the health signals' subscriptions. The manager acts when its time has passed.
    /// - Buffers: the newest 16 reports while the observer pauses, which keeps no ping from being sent; older ones are lost and
    ///   counted.
    /// - Thread: the scheduler's. Health signals send on their own.
    ///
    /// - Parameters:
    ///   - health: the signals that must have sent; the time counts from subscribing. With none, only the timer is
    ///     proven.
    ///   - action: what happens when one has stalled.
    ///   - scheduler: measures the time and sends the reports.
    public func watchdog(
        gatedOn health: [HealthSignal],
        whenStalled action: StallAction = .withhold,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<WatchdogReport, Never> {
        ServiceWatchdog(manager: self, health: health, action: action, scheduler: scheduler)
    }
}

private struct ServiceWatchdog<Time: TimedScheduler>: Signal {
    typealias Value = WatchdogReport
    typealias Failure = Never
    let manager: ServiceManager
    let health: [HealthSignal]
    let action: StallAction
    let scheduler: Time

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == WatchdogReport, Downstream.Failure == Never {
        guard manager.isSupervised, let interval = manager.watchdogInterval else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        // Pinging does not depend on the listeners to the reports, so a pause does not reach the interval.
        let reports = Signals.create(of: WatchdogReport.self, limit: 16, overflow: .dropOldest) { emitter in
            guard emitter.demand != .stop else { return nil }
            return pings(interval).subscribe(next: { emitter.send($0) })
        }
        return reports.subscribe(observer)
    }

    private func pings(_ interval: Duration) -> some Signal<WatchdogReport, Never> {
        Signals.using(
            { [self] in WatchdogRun(manager, health, action, now: { scheduler.now }) },
            release: { $0.dispose() },
            { [scheduler] run in
                Signals.interval(every: interval / 4, first: .immediately, on: scheduler)
                    .compactMap { run.look(at: $0.actual) }
            }
        )
    }

    var chain: Chain { Chain(source: "watchdog") }
}
