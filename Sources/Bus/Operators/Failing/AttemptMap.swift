extension Signal {
    /// Each value transformed by a closure that may throw; the first error fails the signal.
    ///
    /// ```
    /// self             --"1"---"2"---"x"---"4"--|
    /// attemptMap parse --1-----2-----x
    /// ```
    ///
    /// `attemptMap { try parse($0) }` may throw anything, and then the result fails with `any Error`: that is the
    /// error type of a closure literal unless it says otherwise. For a result with a failure of its own type, say the
    /// type: `attemptMap { line throws(ParseError) in try parse(line) }`, where the source fails with that type or
    /// cannot fail. ReactiveCocoa's `tryMap:`, Combine's `tryMap`.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source; with the first error thrown, once the source is released.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter transform: makes the value to send, or throws.
    @inlinable
    @inline(__always)
    public consuming func attemptMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> Output
    ) -> some Signal<Output, Failure> {
        transduced(by: AttemptMapping(transform: transform))
    }
}

extension Signal where Failure == Never {
    /// Each value transformed by a closure that may throw, over a source that cannot fail.
    /// See ``Signal/attemptMap(_:)->Signal<Output,Self.Failure>``.
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func attemptMap<Output: Sendable, NewFailure: Error>(
        _ transform: @escaping @Sendable (Value) throws(NewFailure) -> Output
    ) -> some Signal<Output, NewFailure> {
        promoteFailure(to: NewFailure.self).transduced(by: AttemptMapping(transform: transform))
    }
}

extension Signal {
    /// Each value transformed by a closure that may throw anything; the result fails with any error.
    /// See `attemptMap(_:)` of one type of failure.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func attemptMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> AnySignal<Output, any Error> {
        AnySignal(mapError { $0 as any Error }.transduced(by: AttemptMapping(transform: transform)))
    }
}

@frozen
@usableFromInline
struct AttemptMapping<Input: Sendable, Output: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let transform: @Sendable (Input) throws(InputFailure) -> Output
    @usableFromInline var failure: InputFailure?

    @inlinable
    init(transform: @escaping @Sendable (Input) throws(InputFailure) -> Output) {
        self.transform = transform
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard failure == nil else { return .stop }
        do throws(InputFailure) {
            return downstream.next(try transform(value))
        } catch {
            failure = error
            return .stop
        }
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if let failure {
            downstream.terminate(.failed(failure))
        } else {
            downstream.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { failure != nil ? .stop : .more }

    @usableFromInline static var name: String { "attemptMap" }
}
