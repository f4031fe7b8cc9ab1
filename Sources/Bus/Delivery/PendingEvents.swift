public import DequeModule

/// The events and actions that wait while another is being delivered.
@frozen
@usableFromInline
struct PendingEvents<Downstream: Observer & ~Copyable>: Sendable {
    @frozen
    @usableFromInline
    enum Entry: Sendable {
        case next(Downstream.Value)
        /// What counts as a value but is more than one.
        case input(@Sendable (inout Downstream) -> Demand)
        case lost(Int)
        case terminate(Termination<Downstream.Failure>)
        case perform(@Sendable (inout Downstream?, Termination<Downstream.Failure>?) -> Void)
        case abandon

        @usableFromInline
        var countsAsValue: Bool {
            switch self {
            case .next, .input: true
            case .lost, .terminate, .perform, .abandon: false
            }
        }
    }

    @usableFromInline var entries: Deque<Entry> = []
    /// Waiting values; ends, losses and actions do not count towards the limit.
    @usableFromInline var values = 0
    /// Values that found the queue full, in all.
    @usableFromInline var lost = 0

    @usableFromInline
    init() {}

    /// Takes what counts as a value, while fewer than `limit` wait.
    @usableFromInline
    mutating func append(_ entry: Entry, limit: Int) -> Bool {
        guard values < limit else { return false }
        values += 1
        entries.append(entry)
        return true
    }

    /// Notes that values are missing here. Losses on end are one entry, so that they need no bound.
    @usableFromInline
    mutating func appendLoss(of count: Int) {
        if case .lost(let before) = entries.last {
            entries[entries.count - 1] = .lost(before + count)
        } else {
            entries.append(.lost(count))
        }
    }

    @usableFromInline
    mutating func pop() -> Entry? {
        let entry = entries.popFirst()
        if let entry, entry.countsAsValue { values -= 1 }
        return entry
    }
}
