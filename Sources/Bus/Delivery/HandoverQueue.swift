public import DequeModule

/// The bounded queue between a sender and a receiver that takes everything at once.
@frozen
@usableFromInline
struct HandoverQueue<Value: Sendable, Failure: Error>: Sendable {
    /// What a value met.
    @frozen
    @usableFromInline
    enum Arrival: Sendable { case accepted, mustWait, closed }

    /// What the receiver takes.
    @frozen
    @usableFromInline
    struct Batch: Sendable {
        @usableFromInline var values: Deque<Value> = []
        @usableFromInline var gaps = Gaps()
        @usableFromInline var termination: Termination<Failure>?

        @inlinable
        init() {}

        @inlinable
        var isEmpty: Bool { values.isEmpty && termination == nil && gaps.isEmpty }

        /// All that is missing.
        var lost: Int { gaps.total }

        /// Makes it empty again, keeping its memory.
        @inlinable
        mutating func reset() {
            values.removeAll(keepingCapacity: true)
            gaps = Gaps()
            termination = nil
        }
    }

    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>
    @usableFromInline var batch = Batch()
    /// What the queue failed with when it overflowed; takes the place of the sender's own end.
    @usableFromInline var overflowFailure: Failure?
    @usableFromInline var isClosed = false

    @inlinable
    init(limit: Int, overflow: Overflow<Failure>) {
        self.limit = max(1, limit)
        self.overflow = overflow
    }

    @inlinable
    var isEmpty: Bool { batch.isEmpty }

    @inlinable
    mutating func append(_ value: Value) -> Arrival {
        guard !isClosed, overflowFailure == nil else { return .closed }
        if batch.values.count < limit {
            batch.values.append(value)
            return .accepted
        }
        return overflow(with: value)
    }

    @usableFromInline
    mutating func overflow(with value: Value) -> Arrival {
        switch overflow {
        case .wait: return .mustWait
        case .dropNewest:
            lose(1)
        case .dropOldest:
            batch.values.removeFirst()
            batch.gaps.firstValueLost()
            batch.values.append(value)
        case .fail(let makeFailure):
            overflowFailure = makeFailure(1)
            return .closed
        }
        return .accepted
    }

    /// Notes that values are missing behind those that wait.
    @usableFromInline
    mutating func lose(_ count: Int) {
        guard !isClosed else { return }
        batch.gaps.lost(count, before: batch.values.count)
    }

    @usableFromInline
    mutating func terminate(_ termination: Termination<Failure>) {
        guard !isClosed else { return }
        isClosed = true
        batch.termination = overflowFailure.map { .failed($0) } ?? termination
    }

    /// Everything that waits, leaving room for as much again.
    @inlinable
    mutating func take() -> Batch {
        var taken = Batch()
        swap(&taken, &batch)
        return taken
    }

    /// Gives everything that waits, and goes on with the empty batch it gets for it.
    @inlinable
    mutating func exchange(for empty: inout Batch) {
        swap(&empty, &batch)
    }
}
