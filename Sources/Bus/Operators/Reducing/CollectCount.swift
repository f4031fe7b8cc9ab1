extension Signal {
    /// The values in groups of `count`.
    ///
    /// ```
    /// self              --1---2-------3----|
    /// collect(count: 2) ------[1, 2]-------[3]|
    /// ```
    ///
    /// The last group may be short; an empty one is not sent.
    ///
    /// - Ends: with the source, after the short group.
    /// - Fails: with the source; the group that is not full is dropped.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: fewer than `count` values.
    /// - Thread: the source's.
    ///
    /// - Parameter count: how many values make a group; at least one.
    @inlinable
    @inline(__always)
    public consuming func collect(count: Int) -> some Signal<[Value], Failure> {
        transduced(by: Grouping(count: count))
    }
}

@frozen
@usableFromInline
struct Grouping<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = [Input]
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let count: Int
    @usableFromInline var group: [Input] = []

    @inlinable
    init(count: Int) {
        self.count = Swift.max(count, 1)
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        group.append(value)
        guard group.count == count else { return downstream.demand }
        let full = group
        group = []
        // Not before one group was full: a large count must not reserve memory for values that never come.
        group.reserveCapacity(count)
        return downstream.next(full)
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.finish(termination, with: group.isEmpty ? nil : group)
    }

    @usableFromInline var name: String { "collect(count: \(count))" }
}
