public import DequeModule

/// Whose turn it is among the inner signals of a `flatMap`: which values start now, which wait, when all is done.
@frozen
@usableFromInline
struct FlatMapTurns<Value: Sendable>: Sendable {
    @frozen
    @usableFromInline
    enum Arrival { case start, wait, full }

    @usableFromInline let maxConcurrent: Int
    @usableFromInline let limit: Int
    @usableFromInline var running = 0
    @usableFromInline var waiting: Deque<Value> = []
    @usableFromInline var outerIsDone = false

    @inlinable
    init(maxConcurrent: Int, limit: Int) {
        self.maxConcurrent = max(1, maxConcurrent)
        self.limit = max(1, limit)
    }

    @inlinable
    mutating func arrived(_ value: Value) -> Arrival {
        if running < maxConcurrent, waiting.isEmpty {
            running += 1
            return .start
        }
        guard waiting.count < limit else { return .full }
        waiting.append(value)
        return .wait
    }

    /// The next waiting value, when there is a place for it.
    @inlinable
    mutating func takeTurn() -> Value? {
        guard running < maxConcurrent, let value = waiting.popFirst() else { return nil }
        running += 1
        return value
    }

    @inlinable
    var isDone: Bool { outerIsDone && running == 0 && waiting.isEmpty }
}
