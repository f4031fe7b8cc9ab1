extension Signal {
    /// All but the first `count` values.
    ///
    /// ```
    /// self           --1---2---3---4--|
    /// skip(first: 2) ----------3---4--|
    /// ```
    ///
    /// A count of zero or less skips none.
    ///
    /// - Ends: with the source, also while still skipping.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func skip(first count: Int) -> some Signal<Value, Failure> {
        transduced(by: SkippingFirst(remaining: count))
    }
}

@frozen
@usableFromInline
struct SkippingFirst<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var remaining: Int

    @inlinable
    init(remaining: Int) {
        self.remaining = remaining
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard remaining <= 0 else {
            remaining -= 1
            return downstream.demand
        }
        return downstream.next(value)
    }

    @usableFromInline static var name: String { "skip(first:)" }
    @usableFromInline var name: String { "skip(first: \(remaining))" }
}
