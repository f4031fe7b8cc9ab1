public import Bus

extension Signal {
    /// The values that come no sooner than `duration` after subscribing.
    ///
    /// ```
    /// self          --1--2-----3--4--|
    /// skip(for: 7)  -----------3--4--|
    /// ```
    ///
    /// No timer is set: each value until then costs a reading of the clock, later ones nothing. With a duration of
    /// zero or less everything passes; with one beyond the clock's range no value does.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameters:
    ///   - duration: how long to skip, from subscribing on.
    ///   - scheduler: measures the time.
    @inlinable
    @inline(__always)
    public consuming func skip(
        for duration: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        SinceSubscribingSignal(upstream: self, name: "skip(for: \(duration))", scheduler: scheduler) { start in
            SkippingFor(until: start.advanced(by: duration), scheduler: scheduler)
        }
    }
}

@frozen
@usableFromInline
struct SkippingFor<Input: Sendable, InputFailure: Error, Time: TimedScheduler>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let end: TimerInstant
    @usableFromInline let scheduler: Time
    @usableFromInline var isOver = false

    @inlinable
    init(until end: TimerInstant, scheduler: Time) {
        self.end = end
        self.scheduler = scheduler
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        if !isOver { isOver = scheduler.now >= end }
        return isOver ? downstream.next(value) : downstream.demand
    }

    @usableFromInline static var name: String { "skip(for:)" }
}
