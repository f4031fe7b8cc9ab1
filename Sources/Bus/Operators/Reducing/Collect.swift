extension Signal {
    /// All values as one array, sent at the end.
    ///
    /// ```
    /// self      --1---2---3--|
    /// collect() -------------[1, 2, 3]|
    /// ```
    ///
    /// Without values the array is empty. The array holds at most `limit` values, so that a source that never ends
    /// cannot take all memory. `overflow` says what happens to further values, and the observer learns of a loss at
    /// the point in the sequence where values are missing.
    ///
    /// - Ends: with the source, after the array.
    /// - Fails: with the source, without the array; at the first value too many, if `overflow` says so.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: at most `limit` values, 1,048,576 unless told.
    ///
    /// - Parameters:
    ///   - limit: how many values the array may hold; at least one.
    ///   - overflow: what happens to a value when the array is full. As nothing makes room before the end, pausing the
    ///     source would be for ever, and ``Overflow/pause`` behaves like ``Overflow/dropNewest``.
    @inlinable
    @inline(__always)
    public consuming func collect(
        limit: Int = 1_048_576,
        overflow: Overflow<Failure> = .dropNewest
    ) -> some Signal<[Value], Failure> {
        transduced(by: Collecting(limit: limit, overflow: overflow))
    }
}

@frozen
@usableFromInline
struct Collecting<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = [Input]
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<InputFailure>
    @usableFromInline var kept = LastValues<Input>()
    @usableFromInline var failure: InputFailure?

    @inlinable
    init(limit: Int, overflow: Overflow<InputFailure>) {
        self.limit = Swift.max(limit, 1)
        self.overflow = overflow
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        if kept.values.count < limit {
            _ = kept.push(value, limit: limit)
        } else if !makeRoom(for: value) {
            return .stop
        } else {
            downstream.lost(1)
        }
        return downstream.demand
    }

    /// Returns false when there is no reason to go on.
    @usableFromInline
    mutating func makeRoom(for value: Input) -> Bool {
        switch overflow {
        case .pause, .dropNewest:
            return true
        case .dropOldest:
            _ = kept.push(value, limit: limit)
            return true
        case .fail(let makeFailure):
            if failure == nil { failure = makeFailure(1) }
            return false
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
            downstream.finish(termination, with: kept.inOrder)
        }
    }

    @inlinable
    var demand: Demand { failure != nil ? .stop : .more }

    @usableFromInline static var name: String { "collect" }
    @usableFromInline var name: String { "collect(limit: \(limit))" }
}

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

    @usableFromInline static var name: String { "collect" }
    @usableFromInline var name: String { "collect(count: \(count))" }
}
