public import DequeModule

/// Whose turn it is among the inner signals of a `flatMap`: which values wait, which starts next, when all is done.
@frozen
@usableFromInline
struct FlattenTurns<Value: Sendable>: Sendable {
    @frozen
    @usableFromInline
    enum Arrival { case accepted, full, ignored }

    @usableFromInline let maxConcurrent: Int
    @usableFromInline let limit: Int
    @usableFromInline let ignoresWhileBusy: Bool
    @usableFromInline var running = 0
    @usableFromInline var waiting: Deque<Value> = []
    @usableFromInline var outerIsDone = false
    /// No further value comes, whether the source completed or was let go of.
    @usableFromInline var outerIsGone = false

    /// So many signals at once, and so many values waiting.
    @inlinable
    init(maxConcurrent: Int, limit: Int) {
        self.maxConcurrent = max(1, maxConcurrent)
        self.limit = max(1, limit)
        ignoresWhileBusy = false
    }

    /// One signal, and what comes while it runs is ignored.
    @inlinable
    init(ignoringWhileBusy: Void) {
        maxConcurrent = 1
        limit = 1
        ignoresWhileBusy = true
    }

    @inlinable
    mutating func arrived(_ value: Value) -> Arrival {
        if running >= maxConcurrent || !waiting.isEmpty {
            if ignoresWhileBusy { return .ignored }
            guard waiting.count < limit else { return .full }
        }
        waiting.append(value)
        return .accepted
    }

    /// The next waiting value, when there is a place for it.
    @inlinable
    mutating func takeTurn() -> Value? {
        guard running < maxConcurrent, let value = waiting.popFirst() else { return nil }
        running += 1
        return value
    }

    /// A signal ended; answers whether all is done.
    @inlinable
    mutating func ended() -> Bool {
        running -= 1
        return isDone
    }

    @inlinable
    var isDone: Bool { outerIsDone && running == 0 && waiting.isEmpty }
}
