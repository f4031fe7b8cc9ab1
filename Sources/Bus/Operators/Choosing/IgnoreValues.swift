extension Signal {
    /// The end and nothing else.
    ///
    /// ```
    /// self           --1---2---3--|
    /// ignoreValues() -------------|
    /// ```
    ///
    /// The result's type says that no value comes: it is `Never`, as with RxSwift and Combine. To join the end to a
    /// signal of another type, name that: `ignoreValues(as: Int.self)`.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter type: the type of the values, although there are none.
    @inlinable
    @inline(__always)
    public consuming func ignoreValues<Output: Sendable>(
        as type: Output.Type = Never.self
    ) -> some Signal<Output, Failure> {
        transduced(by: ValueIgnoring())
    }
}

@frozen
@usableFromInline
struct ValueIgnoring<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure

    @inlinable
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.demand
    }

    @usableFromInline static var name: String { "ignoreValues" }
}
