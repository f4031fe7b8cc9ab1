extension Signal {
    /// Each value folded into the result so far; every intermediate result is sent.
    ///
    /// ```
    /// self        --1---2---3--|
    /// scan(0, +)  --1---3---6--|
    /// ```
    ///
    /// The initial result itself is not sent; every subscription starts from it anew.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the last result.
    @inlinable
    @inline(__always)
    public consuming func scan<Result: Sendable>(
        _ initial: Result,
        _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> some Signal<Result, Failure> {
        transduced(by: Scanning(result: initial, combine: combine))
    }
}

@frozen
@usableFromInline
struct Scanning<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var result: Output
    @usableFromInline let combine: @Sendable (Output, Input) -> Output

    @inlinable
    init(result: Output, combine: @escaping @Sendable (Output, Input) -> Output) {
        self.result = result
        self.combine = combine
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        result = combine(result, value)
        return downstream.next(result)
    }

    @usableFromInline static var name: String { "scan" }
}
