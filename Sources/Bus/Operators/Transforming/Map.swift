extension Signal {
    /// Each value transformed.
    ///
    /// ```
    /// self    --1---2---3--|
    /// map ×10 --10--20--30-|
    /// ```
    ///
    /// A key path literal works as the closure, at no cost: `map(\.count)`. A key path in a variable is used as `map
    /// { $0[keyPath: path] }`. (An overload for it would make the compiler weigh the two at every `map`: a chain of
    /// five operators took 17 s to check.)
    ///
    /// The compiler finds a mistake in a long closure sooner if the closure states the type that it returns; see
    /// <doc:LongChains>.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> some Signal<Output, Failure> {
        transduced(by: Mapping(transform: transform))
    }
}

@frozen
@usableFromInline
struct Mapping<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let transform: @Sendable (Input) -> Output

    @inlinable
    init(transform: @escaping @Sendable (Input) -> Output) {
        self.transform = transform
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.next(transform(value))
    }

    @usableFromInline static var name: String { "map" }
}
