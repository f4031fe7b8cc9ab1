/// The state of a `collect(every:or:)`.
@frozen
@usableFromInline
struct CollectStep<Value: Sendable>: HoldingStep {
    @usableFromInline let interval: Int64
    @usableFromInline let limit: Int
    @usableFromInline var batch: [Value] = []
    @usableFromInline var deadline = Int64.max

    @inlinable
    init(interval: Int64, limit: Int) {
        self.interval = interval
        self.limit = max(1, limit)
    }

    @inlinable
    var atCompletion: AtCompletion { .flush }

    @inlinable
    var isHolding: Bool { !batch.isEmpty }

    @inlinable
    mutating func next(_ value: Value, at now: Int64) -> [Value]? {
        let overdue = deadline <= now ? flush() : nil
        if batch.isEmpty { deadline = now.later(by: interval) }
        batch.append(value)
        // If an overdue batch had room, the new one has room, too: there are never two batches to send.
        return batch.count < limit ? overdue : flush()
    }

    @inlinable
    var isFull: Bool { batch.count >= limit }

    /// A batch that waits for room goes on growing until it is full.
    @usableFromInline
    mutating func hold(_ value: Value, at now: Int64) {
        if batch.isEmpty { deadline = now.later(by: interval) }
        batch.append(value)
        if isFull { deadline = min(deadline, now) }
    }

    @inlinable
    mutating func due(at now: Int64) -> [Value]? { flush() }

    @inlinable
    mutating func flush() -> [Value]? {
        guard !batch.isEmpty else { return nil }
        deadline = .max
        var full: [Value] = []
        swap(&full, &batch)
        return full
    }

    @usableFromInline var name: String { "collect(every: \(Duration.nanoseconds(interval)), or: \(limit))" }
}
