extension Signal {
    /// Each value transformed, without the nils.
    ///
    /// ```
    /// self           --"1"---"x"---"3"--|
    /// compactMap Int --1-----------3----|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func compactMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output?
    ) -> some Signal<Output, Failure> {
        transduced(by: CompactMapping(transform: transform))
    }
}

@frozen
@usableFromInline
struct CompactMapping<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let transform: @Sendable (Input) -> Output?

    @inlinable
    init(transform: @escaping @Sendable (Input) -> Output?) {
        self.transform = transform
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard let output = transform(value) else { return downstream.demand }
        return downstream.next(output)
    }

    @usableFromInline static var name: String { "compactMap" }
}
