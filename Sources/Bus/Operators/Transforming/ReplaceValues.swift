extension Signal {
    /// The same constant for each value.
    ///
    /// ```
    /// self                   --1---2---3--|
    /// replaceValues(with: x) --x---x---x--|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter constant: sent for each value of the source.
    // No overload of `map`: a trailing closure would fit it as well, and then the compiler needs up to a hundred times as
    // long to diagnose a mistake in a chain, and names the wrong one.
    @inlinable
    @inline(__always)
    public consuming func replaceValues<Output: Sendable>(with constant: Output) -> some Signal<Output, Failure> {
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

    @usableFromInline static var name: String { "replaceValues(with:)" }
    @usableFromInline var name: String { "replaceValues(with: \(constant))" }
}
