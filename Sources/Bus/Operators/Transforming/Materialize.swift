extension Signal {
    /// All events of the signal, its end included, as values.
    ///
    /// ```
    /// self          --1--------2--------x
    /// materialize() --next(1)--next(2)--failed(x)|
    /// ```
    ///
    /// - Ends: with the source, however that ends, after the event that reports the end.
    /// - Fails: never.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func materialize() -> some Signal<Event<Value, Failure>, Never> {
        transduced(by: Materializing())
    }
}

@frozen
@usableFromInline
struct Materializing<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = Event<Input, InputFailure>
    @usableFromInline typealias Failure = Never

    /// The observer wanted no more, so that the end is the answer to that and not the source's.
    @usableFromInline var hasStopped = false

    @inlinable
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        let demand = downstream.next(.next(value))
        if demand == .stop { hasStopped = true }
        return demand
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.finish(.completed, with: hasStopped ? nil : Event(termination))
    }

    @usableFromInline static var name: String { "materialize" }
}
