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
    /// - Buffers: at most `count` values. A loss is reported at the end, in its place among them.
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
    /// How many values are missing before those that are kept.
    @usableFromInline var lostBefore = 0

    @inlinable
    init(count: Int) {
        self.count = count
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        if count > 0, let displaced = kept.push(value, limit: count) { lostBefore += displaced.lost }
        return downstream.demand
    }

    @inlinable
    mutating func lost<Downstream: Observer & ~Copyable>(
        _ count: Int,
        to downstream: inout Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if !kept.lose(count) { lostBefore += count }
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        let isKept = if case .completed = termination { true } else { false }
        let lost = isKept ? lostBefore : lostBefore + kept.lost
        if lost > 0, downstream.demand != .stop { downstream.lost(lost) }
        if isKept {
            for place in [kept.oldest..<kept.values.count, 0..<kept.oldest].joined() {
                guard downstream.demand != .stop, downstream.next(kept.values[place]) != .stop else { break }
                if let lost = kept.losses[place] { downstream.lost(lost) }
            }
        }
        downstream.terminate(termination)
    }

    @usableFromInline static var name: String { "take(last:)" }
    @usableFromInline var name: String { "take(last: \(count))" }
}

/// The last few values, in a ring that grows only as values come, and how many are missing behind each.
@frozen
@usableFromInline
struct LastValues<Value: Sendable>: Sendable {
    @usableFromInline var values: [Value] = []
    /// Where the oldest value stands once the ring is full.
    @usableFromInline var oldest = 0
    /// How many values are missing behind a value, by its place in the ring.
    @usableFromInline var losses: [Int: Int] = [:]

    @inlinable
    init() {}

    /// Takes a value, and returns the oldest if there are then more than `limit`, which is at least one, with how many are missing
    /// behind it.
    @inlinable
    mutating func push(_ value: Value, limit: Int) -> (value: Value, lost: Int)? {
        guard values.count == limit else {
            values.append(value)
            return nil
        }
        let displaced = values[oldest]
        let lost = losses.isEmpty ? 0 : losses.removeValue(forKey: oldest) ?? 0
        values[oldest] = value
        oldest = oldest + 1 == limit ? 0 : oldest + 1
        return (displaced, lost)
    }

    /// Notes that values are missing behind the newest one; returns false while there is none.
    @inlinable
    mutating func lose(_ count: Int) -> Bool {
        if values.isEmpty { return false }
        losses[(oldest == 0 ? values.count : oldest) - 1, default: 0] += count
        return true
    }

    /// How many values are missing behind those that are kept.
    @inlinable
    var lost: Int { losses.values.reduce(0, +) }

    @inlinable
    var inOrder: [Value] { oldest == 0 ? values : Array(values[oldest...] + values[..<oldest]) }
}
