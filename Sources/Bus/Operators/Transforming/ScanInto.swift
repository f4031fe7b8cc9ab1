extension Signal {
    /// Each value folded into a result that is changed in place; every intermediate result is sent.
    ///
    /// ```
    /// self                         --1----2-------3----------|
    /// scan(into: []) { $0 += [$1] } --[1]--[1, 2]--[1, 2, 3]--|
    /// ```
    ///
    /// The initial result itself is not sent; every subscription starts from it anew. A collection is changed without
    /// being copied as long as nobody below keeps a result that was sent.
    ///
    /// The compiler finds a mistake in the closure sooner if the closure states the type of the result; see
    /// <doc:LongChains>:
    ///
    /// ```swift
    /// import Bus
    ///
    /// let lastThree = Signals.from(1...5)
    ///     .scan(into: []) { (numbers: inout [Int], number) in
    ///         if numbers.count == 3 { numbers.removeFirst() }
    ///         numbers.append(number)
    ///     }
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the last result.
    ///
    /// - Parameters:
    ///   - initial: the result before the first value.
    ///   - update: folds a value into the result so far.
    @inlinable
    @inline(__always)
    public consuming func scan<Result: Sendable>(
        into initial: Result,
        _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> some Signal<Result, Failure> {
        transduced(by: ScanningInto(result: initial, update: update))
    }
}

@frozen
@usableFromInline
struct ScanningInto<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var result: Output
    @usableFromInline let update: @Sendable (inout Output, Input) -> Void

    @inlinable
    init(result: Output, update: @escaping @Sendable (inout Output, Input) -> Void) {
        self.result = result
        self.update = update
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        update(&result, value)
        return downstream.next(result)
    }

    @usableFromInline static var name: String { "scan(into:)" }
}
