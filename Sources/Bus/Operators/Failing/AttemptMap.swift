extension Signal {
    /// Each value transformed by what may throw; the first error fails the signal.
    ///
    /// ```
    /// self             --"1"---"2"---"x"---"4"--|
    /// attemptMap parse --1-----2-----x
    /// ```
    ///
    /// The transformation throws the signal's own failure. Where the source cannot fail it may throw any one type: what
    /// a closure literal throws counts as `any Error` unless it says otherwise (`{ line throws(ParseError) in … }`).
    /// ReactiveCocoa's `tryMap:`, Combine's `tryMap`.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source; with the first error thrown, once the source is released.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: nothing.
    /// - Thread: the source's.
    ///
    /// - Parameter transform: makes what is sent of a value, or throws.
    @inlinable
    @inline(__always)
    public consuming func attemptMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> Output
    ) -> some Signal<Output, Failure> {
        transduced(by: AttemptMapping(transform: transform))
    }
}

extension Signal where Failure == Never {
    /// Each value transformed by what may throw, over a source that cannot fail.
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

    @usableFromInline var name: String { "attemptMap" }
}
