public import Bus

extension Signal {
    /// In place of each value, the time since the previous one; for the first, the time since subscribing.
    ///
    /// ```
    /// self             --a---b-----c|
    /// measureInterval  --2---4-----6|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter scheduler: the scheduler whose clock is read.
    @inlinable
    @inline(__always)
    public consuming func measureInterval(
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Duration, Failure> {
        SinceSubscribingSignal(upstream: self, name: "measureInterval", scheduler: scheduler) { start in
            IntervalMeasuring(last: start, scheduler: scheduler)
        }
    }
}

@frozen
@usableFromInline
struct IntervalMeasuring<Input: Sendable, InputFailure: Error, Time: TimedScheduler>: Transducer {
    @usableFromInline typealias Output = Duration
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var last: TimerInstant
    @usableFromInline let scheduler: Time

    @inlinable
    init(last: TimerInstant, scheduler: Time) {
        self.last = last
        self.scheduler = scheduler
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        let now = scheduler.now
        defer { last = now }
        return downstream.next(last.duration(to: now))
    }

    @usableFromInline static var name: String { "measureInterval" }
}
