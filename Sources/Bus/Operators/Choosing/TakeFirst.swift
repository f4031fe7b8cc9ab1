extension Signal {
    /// The first `count` values, then completion.
    ///
    /// ```
    /// self           --1---2---3---4--|
    /// take(first: 2) --1---2|
    /// ```
    ///
    /// With a count of zero or less the source is never subscribed to.
    ///
    /// - Ends: with the last of the values, once the source is released; else with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func take(first count: Int) -> some Signal<Value, Failure> {
        transduced(by: TakingFirst(remaining: count))
    }
}

@frozen
@usableFromInline
struct TakingFirst<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var remaining: Int

    @inlinable
    init(remaining: Int) {
        self.remaining = remaining
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard remaining > 0 else { return .stop }
        remaining -= 1
        let demand = downstream.next(value)
        return remaining == 0 ? .stop : demand
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        // All requested values have been heard, so later events of the source, even a failure, are not passed on.
        downstream.terminate(remaining <= 0 ? .completed : termination)
    }

    @inlinable
    var demand: Demand { remaining <= 0 ? .stop : .more }

    @usableFromInline static var name: String { "take(first:)" }
    @usableFromInline var name: String { "take(first: \(remaining))" }
}
