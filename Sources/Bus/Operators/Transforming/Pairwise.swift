extension Signal {
    /// Each value with the one before it, from the second value on.
    ///
    /// ```
    /// self       --1---2-------3-------|
    /// pairwise() ------(1, 2)--(2, 3)--|
    /// ```
    ///
    /// To get a pair for the first value too, `prepend` a value. ReactiveSwift's `combinePrevious`, AsyncAlgorithms'
    /// `adjacentPairs`.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the last value.
    @inlinable
    @inline(__always)
    public consuming func pairwise() -> some Signal<(previous: Value, current: Value), Failure> {
        transduced(by: Pairing())
    }
}

@frozen
@usableFromInline
struct Pairing<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = (previous: Input, current: Input)
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var previous: Input?

    @inlinable
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard let previous else {
            self.previous = value
            return downstream.demand
        }
        self.previous = value
        return downstream.next((previous: previous, current: value))
    }

    @usableFromInline static var name: String { "pairwise" }
}
