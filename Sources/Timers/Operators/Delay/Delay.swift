public import Bus

/// When a delayed signal's failure is heard.
public enum DelayedFailure: Sendable, Hashable {
    /// At once; the values still on their way are dropped.
    case immediate
    /// In order, after the values before it.
    case delayed
}

extension Signal {
    /// This signal, later.
    ///
    /// ```
    /// self                            --1--2------3|
    /// delay(4)                        ------1--2------3|
    ///
    /// self                            --1--2--x
    /// delay(4)                        ------1-x
    /// delay(4, failure: .delayed)     ------1--2--x
    /// ```
    ///
    /// Values and the completion come `duration` after the source sent them, in order, never sooner. A failure is not
    /// delayed by default. With a duration of zero or less everything comes as soon as the scheduler can run it;
    /// with one beyond the clock's range nothing ever comes.
    ///
    /// A source that can pause is paused when `limit` values are on their way, until half of them have come. While
    /// the observer pauses nothing is lost and time goes on: overdue values come as soon as it is ready.
    ///
    /// (Failures as in ReactiveCocoa, ReactiveSwift and RxSwift; Combine delays them, too.)
    ///
    /// - Ends: `duration` after the source. When the source is dropped, values on their way still come.
    /// - Fails: with the source, as `failure` says; and as `overflow` says.
    /// - Cancelling: ends the source's subscription and drops values on their way.
    /// - Buffers: at most `limit` values; then as `overflow` says.
    /// - Thread: the scheduler's; a failure that does not wait comes on the source's.
    ///
    /// - Parameters:
    ///   - duration: how long the delay is.
    ///   - failure: whether a failure is delayed, too.
    ///   - limit: how many values may be on their way.
    ///   - overflow: what happens when so many are on their way. By default the source is paused, and
    ///     values that it sends all the same are lost and counted.
    ///   - scheduler: measures the time and delivers all events.
    @inlinable
    public consuming func delay(
        _ duration: Duration,
        failure: DelayedFailure = .immediate,
        limit: Int = 65_536,
        overflow: Overflow<Failure> = .pause,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        PacedSignal(
            upstream: self,
            pace: DelayPace(duration: duration.saturatedNanoseconds),
            limit: limit,
            overflow: overflow,
            holdsFailures: failure == .delayed,
            scheduler: scheduler
        )
    }
}

/// Each event may go a fixed time after it came.
@frozen
@usableFromInline
struct DelayPace: Pace {
    @usableFromInline let duration: Int64

    @inlinable
    init(duration: Int64) {
        self.duration = duration
    }

    /// Values come on the scheduler also without a delay.
    @inlinable
    var letsPass: Bool { false }

    @inlinable
    mutating func due(arrival: Int64, at now: Int64) -> Int64 { arrival.later(by: duration) }

    @inlinable
    func dueOther(arrival: Int64) -> Int64 { arrival.later(by: duration) }

    @inlinable
    mutating func sent(at now: Int64) {}

    @usableFromInline static var name: String { "delay" }
    @usableFromInline var name: String { "delay(\(Duration.nanoseconds(duration)))" }
}
