extension Signal where Failure == Never {
    /// The same signal where a signal that may fail is needed.
    ///
    /// ```
    /// self                   --1---2--|
    /// promoteFailure(to: E)  --1---2--|
    /// ```
    ///
    /// The operators that join or flatten signals do this themselves: `failing.merge(safe)` needs no promotion. It is for a
    /// parameter or a variable whose type names the failure.
    ///
    /// Combine's `setFailureType(to:)`, ReactiveSwift's `promoteError`.
    ///
    /// - Ends: with the source.
    /// - Fails: never, whatever its type says.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter failure: the type of failure that is needed.
    @inlinable
    @inline(__always)
    public consuming func promoteFailure<NewFailure: Error>(
        to failure: NewFailure.Type = NewFailure.self
    ) -> some Signal<Value, NewFailure> {
        transduced(by: FailurePromoting())
    }
}

@frozen
@usableFromInline
struct FailurePromoting<Input: Sendable, Failure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias InputFailure = Never

    @inlinable
    init() {}

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
        downstream.terminate(.completed)
    }

    @usableFromInline static var name: String { "promoteFailure" }
    @usableFromInline var name: String { "promoteFailure(to: \(Chain.name(of: Failure.self)))" }
}
