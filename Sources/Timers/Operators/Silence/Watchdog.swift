public import Bus

extension Signal {
    /// This signal, and a value of your own whenever it has been silent for `duration`.
    ///
    /// ```
    /// self                     --1--2------------3--|
    /// watchdog(4) { s($0) }    --1--2---s---s---s3--|
    /// ```
    ///
    /// The watchdog sends when the silence has lasted `duration`, and again each time another `duration` has passed.
    /// ``Silence/count`` tells these apart, so that `{ $0.count == 1 ? s : nil }` reports each silence once. The
    /// silence begins on subscribing and with each value. A source that is dropped without an end is silent, too: the
    /// timer holds the chain until it is disposed of.
    ///
    /// The values about silences are of this signal's type. For one of their own, map this signal first:
    ///
    /// ```swift
    /// import Bus
    /// import Timers
    ///
    /// enum Pump: Sendable { case level(Double), silent(times: Int) }
    ///
    /// let levels = Subject(of: Double.self)
    /// let pump = levels.map { Pump.level($0) }.watchdog(.seconds(30)) { .silent(times: $0.count) }
    /// ```
    ///
    /// A value costs a reading of the clock and no timer is touched: the subscription has one timer, and when it
    /// fires, it checks how long ago the last value was. A duration below 16,384 ns is taken as 16,384 ns; with one
    /// beyond the clock's range the watchdog never sends.
    ///
    /// While the observer pauses the watchdog sends nothing, and the silence begins anew when the observer is ready.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription and cancels the timer.
    /// - Buffers: nothing; while one thread delivers, or while the observer pauses, at most 1,024 values wait.
    /// - Thread: the source's for its values, the scheduler's for the watchdog's, unless the source is being
    ///   delivered: then they follow on its thread.
    ///
    /// - Parameters:
    ///   - duration: how long a silence may last.
    ///   - scheduler: measures the time and delivers the watchdog's values.
    ///   - speak: makes the value to send about a silence; nil for none.
    @inlinable
    public consuming func watchdog(
        _ duration: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared,
        speaking speak: @escaping @Sendable (Silence) -> Value?
    ) -> some Signal<Value, Failure> {
        WatchdogSignal(upstream: self, duration: duration, scheduler: scheduler, speak: speak)
    }
}

@frozen
@usableFromInline
struct WatchdogSignal<Upstream: Signal, Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let duration: Duration
    @usableFromInline let scheduler: Time
    @usableFromInline let speak: @Sendable (Silence) -> Value?

    @inlinable
    init(
        upstream: Upstream,
        duration: Duration,
        scheduler: Time,
        speak: @escaping @Sendable (Silence) -> Value?
    ) {
        self.upstream = upstream
        self.duration = duration
        self.scheduler = scheduler
        self.speak = speak
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        let timer = SilenceTimer(output, reportingEvery: duration.saturatedNanoseconds, scheduler, speak)
        timer.start()
        output.resources.add(upstream.subscribe(SilenceObserver(timer) { $0 }))
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("watchdog") }
    @usableFromInline var chain: Chain { upstream.chain.appending("watchdog(\(duration))") }
}
