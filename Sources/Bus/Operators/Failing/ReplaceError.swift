extension Signal {
    /// This signal with its failure turned into a last value.
    ///
    /// ```
    /// self                  --1--2--x
    /// replaceError(with: 0) --1--2--(0|)
    /// ```
    ///
    /// - Ends: with the source, and where it fails.
    /// - Fails: never.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter value: the value to send when the source fails.
    @inlinable
    @inline(__always)
    public consuming func replaceError(with value: Value) -> some Signal<Value, Never> {
        transduced(by: ErrorReplacement<Value, Failure>(value: value))
    }
}

@frozen
@usableFromInline
struct ErrorReplacement<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = Never
    @usableFromInline let value: Input

    @inlinable
    init(value: Input) {
        self.value = value
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.next(value)
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        var downstream = downstream
        if case .failed = termination, downstream.demand == .more { _ = downstream.next(value) }
        downstream.terminate(.completed)
    }

    @usableFromInline static var name: String { "replaceError" }
}
