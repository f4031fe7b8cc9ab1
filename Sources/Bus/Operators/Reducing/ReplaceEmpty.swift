extension Signal {
    /// The same values, or one value in their place when there were none.
    ///
    /// ```
    /// self                  -------|
    /// replaceEmpty(with: 9) -------9|
    /// ```
    ///
    /// RxSwift's `ifEmpty(default:)`.
    ///
    /// - Ends: with the source, after the replacement where it is needed.
    /// - Fails: with the source; a signal that failed is not replaced.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter replacement: sent when there were no values.
    @inlinable
    @inline(__always)
    public consuming func replaceEmpty(with replacement: Value) -> some Signal<Value, Failure> {
        transduced(by: EmptyReplacing(replacement: replacement))
    }
}

@frozen
@usableFromInline
struct EmptyReplacing<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let replacement: Input
    @usableFromInline var isEmpty = true

    @inlinable
    init(replacement: Input) {
        self.replacement = replacement
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        isEmpty = false
        return downstream.next(value)
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.finish(termination, with: isEmpty ? replacement : nil)
    }

    @usableFromInline static var name: String { "replaceEmpty" }
    @usableFromInline var name: String { "replaceEmpty(with: \(replacement))" }
}
