/// The state of a `debounce`.
@frozen
@usableFromInline
struct Debouncing<Value: Sendable>: HoldingState {
    @usableFromInline let interval: Int64
    @usableFromInline let edge: DebounceEdge
    /// How long a burst may last; `.max` for no limit.
    @usableFromInline let maxWait: Int64
    @usableFromInline let atCompletion: AtCompletion
    @usableFromInline var held: Value?
    @usableFromInline var deadline = Int64.max
    /// When the burst counts as over though values keep coming.
    @usableFromInline var limit = Int64.max
    /// When the burst is over if nothing more comes; for the leading edge, where nothing is held.
    @usableFromInline var quietFrom = Int64.min

    @inlinable
    init(interval: Int64, edge: DebounceEdge, maxWait: Int64, atCompletion: AtCompletion) {
        self.interval = interval
        self.edge = edge
        self.maxWait = maxWait
        self.atCompletion = atCompletion
    }

    @inlinable
    var isHolding: Bool { held != nil }

    @inlinable
    mutating func next(_ value: Value, at now: Int64) -> Value? {
        guard edge == .trailing else { return leading(value, at: now) }
        let overdue = deadline <= now ? due(at: now) : nil
        if held == nil { limit = now.later(by: maxWait) }
        held = value
        deadline = min(now.later(by: interval), limit)
        return overdue
    }

    @usableFromInline
    mutating func leading(_ value: Value, at now: Int64) -> Value? {
        let isFirst = now >= min(quietFrom, limit)
        quietFrom = now.later(by: interval)
        guard isFirst else { return nil }
        limit = now.later(by: maxWait)
        return value
    }

    /// A burst whose value waits for the observer goes on with the next value, which replaces it.
    @usableFromInline
    mutating func hold(_ value: Value, at now: Int64) {
        if edge == .leading {
            guard let first = leading(value, at: now) else { return }
            held = first
            deadline = now
        } else {
            if held == nil { limit = now.later(by: maxWait) }
            held = value
            deadline = min(now.later(by: interval), limit)
        }
    }

    @inlinable
    mutating func due(at now: Int64) -> Value? { flush() }

    @inlinable
    mutating func flush() -> Value? {
        deadline = .max
        return held.take()
    }

    @usableFromInline static var name: String { "debounce" }
    @usableFromInline var name: String { "debounce(\(Duration.nanoseconds(interval)))" }
}
