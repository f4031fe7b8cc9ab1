extension Signal {
    /// The same constant for each value.
    ///
    /// ```
    /// self       --1---2---3--|
    /// map(to: x) --x---x---x--|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: nothing.
    /// - Thread: the source's.
    ///
    /// - Parameter constant: sent for each value of the source.
    @inlinable
    @inline(__always)
    public consuming func map<Output: Sendable>(to constant: Output) -> some Signal<Output, Failure> {
        transduced(by: ConstantMapping(constant: constant))
    }
}

@frozen
@usableFromInline
struct ConstantMapping<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let constant: Output

    @inlinable
    init(constant: Output) {
        self.constant = constant
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.next(constant)
    }

    @usableFromInline var name: String { "map(to: \(constant))" }
}
