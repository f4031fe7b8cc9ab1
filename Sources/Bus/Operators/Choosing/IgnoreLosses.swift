extension Signal {
    /// The same events without the reports of losses: for a consumer to which missing values do not matter.
    ///
    /// ```
    /// self          --1--(2 lost)--4--|
    /// ignoreLosses  --1------------4--|
    /// ```
    ///
    /// The operators after it, and `firstValue`, `lastValue`, `collected` and `values()`, hear of losses below this
    /// operator only.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func ignoreLosses() -> some Signal<Value, Failure> {
        transduced(by: LossIgnoring<Value, Failure>())
    }
}

@frozen
@usableFromInline
struct LossIgnoring<Input: Sendable, InputFailure: Error>: PassingTransducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @inlinable
    init() {}

    @inlinable
    mutating func lost<Downstream: Observer & ~Copyable>(
        _ count: Int,
        to downstream: inout Downstream
    ) where Downstream.Value == Input, Downstream.Failure == InputFailure {}

    @usableFromInline static var name: String { "ignoreLosses" }
}
