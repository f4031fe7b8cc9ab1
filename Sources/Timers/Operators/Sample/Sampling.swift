/// The state of a `sample(every:)`.
@frozen
@usableFromInline
struct Sampling<Value: Sendable>: HoldingStep {
    @usableFromInline let period: Int64
    @usableFromInline let atCompletion: AtCompletion
    @usableFromInline var grid: TickGrid
    @usableFromInline var held: Value?
    @usableFromInline var deadline = Int64.max
    /// The latest tick at which a value was sent, so that no two values are sent at one tick.
    @usableFromInline var last = Int64.min

    @inlinable
    init(period: Int64, atCompletion: AtCompletion) {
        self.period = period
        self.atCompletion = atCompletion
        grid = TickGrid(origin: 0, period: period)
    }

    @usableFromInline
    mutating func start(at now: Int64) { grid = TickGrid(origin: now, period: period) }

    @inlinable
    var isHolding: Bool { held != nil }

    @inlinable
    mutating func next(_ value: Value, at now: Int64) -> Value? {
        // A value that comes at the very instant of a tick is in time for it.
        let overdue = deadline < now ? due(at: now) : nil
        hold(value, at: now)
        return overdue
    }

    /// A value whose tick has come and that waits for room is no longer the latest value.
    @inlinable
    mutating func hold(_ value: Value, at now: Int64) {
        if held == nil { deadline = grid.tick(notBefore: max(now, last.later(by: 1))) }
        held = value
    }

    @usableFromInline
    mutating func due(at now: Int64) -> Value? {
        last = deadline
        return flush()
    }

    @usableFromInline
    mutating func flush() -> Value? {
        deadline = .max
        return held.take()
    }

    @usableFromInline var name: String { "sample(every: \(Duration.nanoseconds(period)))" }
}
