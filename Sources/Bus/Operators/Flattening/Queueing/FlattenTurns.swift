public import DequeModule

/// The order of the inner signals of a `flatMap`: which values wait, which signal starts next, when all is done.
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
    /// How many values came that have not been told that they wait. Some of them may wait no longer.
    @usableFromInline var untold = 0
    @usableFromInline var outerIsDone = false
    /// No further value comes, whether the source completed or was released.
    @usableFromInline var outerIsGone = false
    /// The closure that the paused source left to be called.
    @usableFromInline var resume: (@Sendable () -> Void)?
    /// The output pauses, and has been asked to call when the next signal may start.
    @usableFromInline var awaitsOutput = false

    /// Runs so many signals at once, with so many values waiting.
    @inlinable
    init(maxConcurrent: Int, limit: Int) {
        self.maxConcurrent = max(1, maxConcurrent)
        self.limit = max(1, limit)
        ignoresWhileBusy = false
    }

    /// Runs one signal, and ignores values that come while it runs.
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
        untold += 1
        return .accepted
    }

    /// Takes the turn for a value that need not wait. False when it has to.
    @inlinable
    mutating func takeTurnAtOnce() -> Bool {
        guard running < maxConcurrent, waiting.isEmpty else { return false }
        running += 1
        return true
    }

    /// The next waiting value, when there is a place for it.
    @inlinable
    mutating func takeTurn() -> Value? {
        guard running < maxConcurrent, let value = waiting.popFirst() else { return nil }
        running += 1
        return value
    }

    /// A signal ended; returns whether all is done.
    @inlinable
    mutating func ended() -> Bool {
        running -= 1
        return isDone
    }

    /// Whether the source is to pause.
    @inlinable
    var isFull: Bool { !ignoresWhileBusy && waiting.count >= limit }

    /// Whether a source that was told to pause is not yet to go on.
    @inlinable
    var isCrowded: Bool { !ignoresWhileBusy && waiting.count > limit / 2 }

    /// The values that wait for others to end, and have not been told so.
    @usableFromInline
    mutating func takeUntold() -> [Value] {
        guard running >= maxConcurrent, untold > 0 else { return [] }
        defer { untold = 0 }
        return Array(waiting.suffix(untold))
    }

    /// Whether the other signals allow another to start.
    @inlinable
    var hasTurn: Bool { running < maxConcurrent && !waiting.isEmpty }

    @usableFromInline
    mutating func takeResume() -> (@Sendable () -> Void)? { isCrowded ? nil : resume.take() }

    /// Whether no further signal will start.
    @inlinable
    var expectsNothing: Bool { outerIsGone && waiting.isEmpty }

    @inlinable
    var isDone: Bool { outerIsDone && running == 0 && waiting.isEmpty }
}
