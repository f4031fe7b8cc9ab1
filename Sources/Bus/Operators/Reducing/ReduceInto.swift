extension Signal {
    /// All values folded into one result that is changed in place, and sent at the end.
    ///
    /// ```
    /// self                      --a---b---a--|
    /// reduce(into: [:]) { … }   -------------[a: 2, b: 1]|
    /// ```
    ///
    /// For results that are expensive to copy, such as collections. Every subscription starts from `initial` anew;
    /// without values, `initial` is the result.
    ///
    /// The compiler finds a mistake in the closure sooner if the closure states the type of the result; see
    /// <doc:LongChains>.
    ///
    /// - Ends: with the source, after the result.
    /// - Fails: with the source; there is no result then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the result so far.
    ///
    /// - Parameters:
    ///   - initial: the result before the first value.
    ///   - update: folds a value into the result so far.
    @inlinable
    @inline(__always)
    public consuming func reduce<Result: Sendable>(
        into initial: Result,
        _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> some Signal<Result, Failure> {
        transduced(by: Folding(result: initial, update: update, isCount: false))
    }
}

/// Folds all values into one result; `count` is one use of it.
@frozen
@usableFromInline
struct Folding<Input: Sendable, Output: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var result: Output
    @usableFromInline let update: @Sendable (inout Output, Input) -> Void
    @usableFromInline let isCount: Bool

    @inlinable
    init(result: Output, update: @escaping @Sendable (inout Output, Input) -> Void, isCount: Bool) {
        self.result = result
        self.update = update
        self.isCount = isCount
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        update(&result, value)
        return downstream.demand
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.finish(termination, with: result)
    }

    @usableFromInline static var name: String { "reduce(into:)" }
    @usableFromInline var name: String { isCount ? "count" : "reduce(into:)" }
}
