public import DequeModule

/// The events and actions that wait while another is being delivered.
@frozen
@usableFromInline
struct PendingEvents<Downstream: Observer & ~Copyable>: Sendable {
    @usableFromInline typealias Action =
        @Sendable (inout Downstream?, Termination<Downstream.Failure>?) -> Void

    @frozen
    @usableFromInline
    enum Entry: Sendable {
        case next(Downstream.Value)
        case terminate(Termination<Downstream.Failure>)
        case perform(Action)
    }

    @usableFromInline var entries: Deque<Entry> = []
    /// Waiting values; ends and actions do not count towards the limit.
    @usableFromInline var values = 0
    @usableFromInline var lost = 0

    @usableFromInline
    init() {}

    @usableFromInline
    mutating func pop() -> Entry? {
        let entry = entries.popFirst()
        if case .next = entry { values -= 1 }
        return entry
    }
}
