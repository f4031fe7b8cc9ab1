public import DequeModule

/// The events and actions that wait while another is being delivered, or until there is room below; and who is to be told
/// when fewer wait.
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
    /// The most values that ever waited at a time.
    @usableFromInline var mostValues = 0
    /// Values that found no room, in all.
    @usableFromInline var lost = 0
    /// Of these, how many since the queue failed for it.
    @usableFromInline var lostToFailure = 0
    /// What senders that were told to pause left to be called.
    @usableFromInline var resumes: [@Sendable () -> Void] = []
    /// Values taken out since whoever delivers began.
    @usableFromInline var taken = 0

    @usableFromInline
    init() {}

    /// Takes what counts as a value, while fewer than `limit` wait.
    @usableFromInline
    mutating func append(_ entry: Entry, limit: Int) -> Bool {
        guard values < limit else { return false }
        values += 1
        if values > mostValues { mostValues = values }
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

    /// Makes room by giving up the oldest value, which is answered, to be let go of without the lock.
    mutating func loseOldest() -> Entry? {
        guard let index = entries.firstIndex(where: \.countsAsValue) else { return nil }
        let oldest = entries[index]
        values -= 1
        entries[index] = .lost(1)
        // Losses side by side are one: before it stands one at most, and after it, too.
        for neighbour in [index + 1, index] where neighbour > 0 && neighbour < entries.count {
            guard case .lost(let more) = entries[neighbour], case .lost(let count) = entries[neighbour - 1] else {
                continue
            }
            entries[neighbour - 1] = .lost(count + more)
            entries.remove(at: neighbour)
        }
        return oldest
    }

    @usableFromInline
    mutating func pop() -> Entry? {
        let entry = entries.popFirst()
        if let entry, entry.countsAsValue {
            values -= 1
            taken += 1
        }
        return entry
    }

    /// The value that has waited longest.
    var oldestValue: Downstream.Value? {
        for case .next(let value) in entries { return value }
        return nil
    }

    /// Whether it is a value's turn.
    var valueIsNext: Bool { entries.first?.countsAsValue ?? false }

    /// Whether more than `most` values are in line, or whoever delivers has done enough for others.
    @usableFromInline
    func isCrowded(above most: Int, limit: Int) -> Bool { values > most || taken >= max(limit, 1) }

    mutating func takeResumes() -> [@Sendable () -> Void] {
        guard !resumes.isEmpty else { return [] }
        defer { resumes = [] }
        return resumes
    }
}
