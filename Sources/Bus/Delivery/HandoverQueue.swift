public import DequeModule

/// The bounded queue between a sender and a receiver that takes everything at once.
@frozen
@usableFromInline
struct HandoverQueue<Value: Sendable, Failure: Error>: Sendable {
    /// What a value met: room, the end of it, so that its sender is to pause, or a queue that takes nothing any more.
    @frozen
    @usableFromInline
    enum Arrival: Sendable { case accepted, full, closed }

    /// What the receiver takes.
    @frozen
    @usableFromInline
    struct Batch: Sendable {
        @usableFromInline var values: Deque<Value> = []
        @usableFromInline var gaps = Gaps()
        @usableFromInline var termination: Termination<Failure>?
        /// What the queue failed with when it overflowed; takes the place of the sender's own end.
        @usableFromInline var overflowFailure: (@Sendable (_ lost: Int) -> Failure)?
        /// How many values found it full then.
        @usableFromInline var lostToFailure = 0

        @inlinable
        init() {}

        /// The end, if there is one. Made without the lock, for a failure is made by foreign code.
        @inlinable
        var end: Termination<Failure>? {
            guard let termination else { return nil }
            guard let overflowFailure else { return termination }
            return .failed(overflowFailure(lostToFailure))
        }

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
            overflowFailure = nil
        }
    }

    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>
    @usableFromInline var batch = Batch()
    /// It overflowed and fails for that, with what the closure makes of how many values found it full.
    @usableFromInline var overflowFailure: (@Sendable (_ lost: Int) -> Failure)?
    @usableFromInline var lostToFailure = 0
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
        guard !isClosed, overflowFailure == nil else { return refuse() }
        guard batch.values.count < limit else { return overflow(with: value) }
        batch.values.append(value)
        return batch.values.count == limit && pausesSource ? .full : .accepted
    }

    @inlinable
    var pausesSource: Bool {
        if case .pause = overflow { return true }
        return false
    }

    @usableFromInline
    mutating func refuse() -> Arrival {
        if !isClosed { lostToFailure += 1 }
        return .closed
    }

    @usableFromInline
    mutating func overflow(with value: Value) -> Arrival {
        switch overflow {
        case .pause:
            lose(1)
            return .full
        case .dropNewest: lose(1)
        case .dropOldest:
            batch.values.removeFirst()
            batch.gaps.firstValueLost()
            batch.values.append(value)
        case .fail(let makeFailure):
            overflowFailure = makeFailure
            return refuse()
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
        batch.termination = termination
        batch.overflowFailure = overflowFailure
        batch.lostToFailure = lostToFailure
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
