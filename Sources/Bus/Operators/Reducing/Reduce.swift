extension Signal {
    /// All values folded into one result, which is sent at the end.
    ///
    /// ```
    /// self         --1---2---3--|
    /// reduce(0, +) -------------6|
    /// ```
    ///
    /// Every subscription starts from `initial` anew; without values, `initial` is the result.
    ///
    /// - Ends: with the source, after the result.
    /// - Fails: with the source; there is no result then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the result so far.
    ///
    /// - Parameters:
    ///   - initial: the result before the first value.
    ///   - combine: makes the next result from the one so far and a value.
    @inlinable
    @inline(__always)
    public consuming func reduce<Result: Sendable>(
        _ initial: Result,
        _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> some Signal<Result, Failure> {
        transduced(by: Reducing(result: initial, combine: combine))
    }
}

@frozen
@usableFromInline
struct Reducing<Input: Sendable, Output: Sendable, InputFailure: Error>: FlushingTransducer {
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
        return downstream.demand
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.finish(termination, with: result)
    }

    @usableFromInline static var name: String { "reduce" }
}

extension Observer where Self: ~Copyable {
    /// Sends the value that was kept for a completion, if it completed and more is wanted, and then the end.
    @inlinable
    consuming func finish(_ termination: Termination<Failure>, with result: Value?) {
        if case .completed = termination, let result, demand == .more { _ = next(result) }
        terminate(termination)
    }
}

extension Signal {
    /// How many values there were, sent at the end.
    ///
    /// ```
    /// self    --a---b---c--|
    /// count() -------------3|
    /// ```
    ///
    /// Values that were lost above are not counted; they are passed on as lost.
    ///
    /// - Ends: with the source, after the number.
    /// - Fails: with the source; there is no number then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the number so far.
    @inlinable
    @inline(__always)
    public consuming func count() -> some Signal<Int, Failure> {
        transduced(by: Folding(result: 0, update: { count, _ in count += 1 }, isCount: true))
    }
}
