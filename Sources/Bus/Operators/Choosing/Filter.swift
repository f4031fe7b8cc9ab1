extension Signal {
    /// The values that pass a test.
    ///
    /// ```
    /// self        --1---2---3---4--|
    /// filter even ------2-------4--|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func filter(
        _ isIncluded: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Value, Failure> {
        transduced(by: Filtering(isIncluded: isIncluded))
    }
}

@frozen
@usableFromInline
struct Filtering<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let isIncluded: @Sendable (Input) -> Bool

    @inlinable
    init(isIncluded: @escaping @Sendable (Input) -> Bool) {
        self.isIncluded = isIncluded
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        isIncluded(value) ? downstream.next(value) : downstream.demand
    }

    @usableFromInline static var name: String { "filter" }
}
