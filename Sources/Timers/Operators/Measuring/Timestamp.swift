public import Bus

/// A value and the time when it came.
public struct Timestamped<Value: Sendable>: Sendable {
    /// The value that came.
    public let value: Value
    /// The time on the clock of the given scheduler.
    public let instant: TimerInstant

    /// For tests of code that hears values with their times.
    public init(_ value: Value, at instant: TimerInstant) {
        self.value = value
        self.instant = instant
    }
}

extension Timestamped: Equatable where Value: Equatable {}
extension Timestamped: Hashable where Value: Hashable {}

extension Signal {
    /// Each value with the instant at which it came here.
    ///
    /// ```
    /// self       --a----b|
    /// timestamp  --a@2--b@7|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter scheduler: the scheduler whose clock is read.
    @inlinable
    @inline(__always)
    public consuming func timestamp(
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Timestamped<Value>, Failure> {
        transduced(by: Timestamping(scheduler: scheduler))
    }
}

@frozen
@usableFromInline
struct Timestamping<Input: Sendable, InputFailure: Error, Time: TimedScheduler>: Transducer {
    @usableFromInline typealias Output = Timestamped<Input>
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let scheduler: Time

    @inlinable
    init(scheduler: Time) {
        self.scheduler = scheduler
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.next(Timestamped(value, at: scheduler.now))
    }

    @usableFromInline static var name: String { "timestamp" }
}
