extension Signal {
    /// This signal with its failure turned into another.
    ///
    /// ```
    /// self     --1---2--x
    /// mapError --1---2--y
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the result of `transform` for the source's failure.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> some Signal<Value, NewFailure> {
        transduced(by: ErrorMapping(transform: transform))
    }
}

@frozen
@usableFromInline
struct ErrorMapping<Input: Sendable, InputFailure: Error, Failure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline let transform: @Sendable (InputFailure) -> Failure

    @inlinable
    init(transform: @escaping @Sendable (InputFailure) -> Failure) {
        self.transform = transform
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
        switch termination {
        case .completed: downstream.terminate(.completed)
        case .failed(let failure): downstream.terminate(.failed(transform(failure)))
        }
    }

    @usableFromInline static var name: String { "mapError" }
}
