extension Signal where Failure == Never {
    /// Converts values that are events back into events.
    ///
    /// ```
    /// self            --next(1)--next(2)--failed(x)--
    /// dematerialize() --1--------2--------x
    /// ```
    ///
    /// The inverse of ``Signal/materialize()``.
    ///
    /// - Ends: with the first value that is an end, once the source is released; later events are not heard.
    ///   Otherwise with the source.
    /// - Fails: with the first value that is a failure.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func dematerialize<Output: Sendable, NewFailure: Error>() -> some Signal<Output, NewFailure>
    where Value == Event<Output, NewFailure> {
        transduced(by: Dematerializing())
    }
}

@frozen
@usableFromInline
struct Dematerializing<Output: Sendable, Failure: Error>: Transducer {
    @usableFromInline typealias Input = Event<Output, Failure>
    @usableFromInline typealias InputFailure = Never
    @usableFromInline var end: Termination<Failure>?

    @inlinable
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard end == nil else { return .stop }
        switch value {
        case .next(let value): return downstream.next(value)
        case .completed: end = .completed
        case .failed(let failure): end = .failed(failure)
        }
        return .stop
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.terminate(end ?? .completed)
    }

    @inlinable
    var demand: Demand { end != nil ? .stop : .more }

    @usableFromInline static var name: String { "dematerialize" }
}
