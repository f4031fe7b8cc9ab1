extension Signal {
    /// The events of another signal, once this one has completed; this one's values are not heard. Either may be one that cannot
    /// fail.
    ///
    /// ```
    /// self  --1--2--|
    /// other         --a--b|
    /// then  ----------a--b|
    /// ```
    ///
    /// - Ends: with the other signal.
    /// - Fails: with either; when this one fails the other is never subscribed to.
    /// - Cancelling: ends the subscription to the signal that runs.
    /// - Thread: that of the other, which is subscribed to where this one completed.
    @inlinable
    @inline(__always)
    public consuming func then<Next: Signal>(
        _ next: Next
    ) -> some Signal<Next.Value, Failure> where Next.Failure == Failure {
        ConcatSignal(signals: SignalPair(transduced(by: SayingNothing<Value, Next.Value, Failure>()), next))
    }
}

/// Lets only the end through.
@frozen
@usableFromInline
struct SayingNothing<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure

    @inlinable
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.demand
    }

    @usableFromInline static var name: String { "ignoreValues" }
}
