/// The state of a `throttle`.
@frozen
@usableFromInline
struct Throttling<Value: Sendable>: HoldingState {
    @usableFromInline let interval: Int64
    @usableFromInline let edges: ThrottleEdges
    @usableFromInline let choice: ThrottleChoice
    @usableFromInline let atCompletion: AtCompletion
    @usableFromInline var held: Value?
    /// When the present window ends; a window that has ended is replaced with the next value.
    @usableFromInline var windowEnd = Int64.min

    @inlinable
    init(interval: Int64, edges: ThrottleEdges, choice: ThrottleChoice, atCompletion: AtCompletion) {
        self.interval = interval
        self.edges = edges
        self.choice = choice
        self.atCompletion = atCompletion
    }

    @inlinable
    var isHolding: Bool { held != nil }

    @inlinable
    var deadline: Int64 { held == nil ? .max : windowEnd }

    @inlinable
    mutating func next(_ value: Value, at now: Int64) -> Value? {
        if now < windowEnd {
            if edges != .leading, held == nil || choice == .latest { held = value }
            return nil
        }
        // The value sent at a window's end opens the next window, and the new value falls into that.
        if let overdue = due(at: now) {
            held = value
            return overdue
        }
        windowEnd = now.later(by: interval)
        guard edges == .trailing else { return value }
        held = value
        return nil
    }

    /// The value that would open a window waits for the observer, and values that come meanwhile count as coming in that
    /// window.
    @usableFromInline
    mutating func hold(_ value: Value, at now: Int64) {
        if now < windowEnd {
            guard edges != .leading else { return }
        } else if held == nil, edges == .trailing {
            windowEnd = now.later(by: interval)
        }
        if held == nil || choice == .latest { held = value }
    }

    @inlinable
    mutating func due(at now: Int64) -> Value? {
        guard let due = held.take() else { return nil }
        windowEnd = now.later(by: interval)
        return due
    }

    @inlinable
    mutating func flush() -> Value? { held.take() }

    @usableFromInline static var name: String { "throttle" }
    @usableFromInline var name: String { "throttle(\(Duration.nanoseconds(interval)))" }
}
