extension Signal {
    /// The last `count` values, sent at the end.
    ///
    /// ```
    /// self          --1---2---3---4--|
    /// take(last: 2) -----------------34|
    /// ```
    ///
    /// With a count of zero or less nothing is sent but the end, or the failure.
    ///
    /// - Ends: with the source, after the values.
    /// - Fails: with the source; the values are dropped.
    /// - Cancelling: ends the source's subscription; values that are still to be sent are dropped.
    /// - Buffers: at most `count` values.
    ///
    /// - Parameter count: how many values are kept.
    @inlinable
    @inline(__always)
    public consuming func take(last count: Int) -> some Signal<Value, Failure> {
        transduced(by: TakingLast(count: count))
    }
}

@frozen
@usableFromInline
struct TakingLast<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let count: Int
    @usableFromInline var kept = LastValues<Input>()

    @inlinable
    init(count: Int) {
        self.count = count
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        if count > 0 { _ = kept.push(value, limit: count) }
        return downstream.demand
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if case .completed = termination {
            for value in kept.inOrder {
                guard downstream.demand != .stop, downstream.next(value) != .stop else { break }
            }
        }
        downstream.terminate(termination)
    }

    @usableFromInline static var name: String { "take(last:)" }
    @usableFromInline var name: String { "take(last: \(count))" }
}

/// The last few values, in a ring that grows only as values come.
@frozen
@usableFromInline
struct LastValues<Value: Sendable>: Sendable {
    @usableFromInline var values: [Value] = []
    /// Where the oldest value stands once the ring is full.
    @usableFromInline var oldest = 0

    @inlinable
    init() {}

    /// Takes a value, and returns the oldest if there are then more than `limit`, which is at least one.
    @inlinable
    mutating func push(_ value: Value, limit: Int) -> Value? {
        guard values.count == limit else {
            values.append(value)
            return nil
        }
        let displaced = values[oldest]
        values[oldest] = value
        oldest = oldest + 1 == limit ? 0 : oldest + 1
        return displaced
    }

    /// Where the newest value stands; nil while there is none.
    @inlinable
    var newest: Int? { values.isEmpty ? nil : (oldest == 0 ? values.count : oldest) - 1 }

    @inlinable
    var inOrder: [Value] { oldest == 0 ? values : Array(values[oldest...] + values[..<oldest]) }
}
