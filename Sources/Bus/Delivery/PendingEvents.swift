public import DequeModule

/// The events and actions that wait while another is being delivered, or until there is room below; and the closures
/// to call when fewer wait.
@frozen
@usableFromInline
struct PendingEvents<Downstream: Observer & ~Copyable>: Sendable {
    @frozen
    @usableFromInline
    enum Entry: Sendable {
        case next(Downstream.Value)
        /// An input that counts as a value but is more than one.
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
    /// How many of these since the queue failed because of them.
    @usableFromInline var lostToFailure = 0
    /// The closures that paused senders left to be called.
    @usableFromInline var resumes: [@Sendable () -> Void] = []
    /// How many values were taken out since the present deliverer began.
    @usableFromInline var taken = 0

    @usableFromInline
    init() {}

    /// Takes an input that counts as a value, while fewer than `limit` wait.
    @usableFromInline
    mutating func append(_ entry: Entry, limit: Int) -> Bool {
        guard values < limit else { return false }
        values += 1
        if values > mostValues { mostValues = values }
        entries.append(entry)
        return true
    }

    /// Notes that values are missing here. Consecutive losses are one entry, so that they need no bound.
    @usableFromInline
    mutating func appendLoss(of count: Int) {
        if case .lost(let before) = entries.last {
            entries[entries.count - 1] = .lost(before + count)
        } else {
            entries.append(.lost(count))
        }
    }

    /// Makes room by giving up the oldest value, and returns it, to be released without the lock.
    mutating func loseOldest() -> Entry? {
        guard let index = entries.firstIndex(where: \.countsAsValue) else { return nil }
        let oldest = entries[index]
        values -= 1
        entries[index] = .lost(1)
        // Adjacent losses are one entry: there is at most one before it and at most one after it.
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

    /// Whether a value is next.
    var valueIsNext: Bool { entries.first?.countsAsValue ?? false }

    /// Whether more than `most` values are in line, or the deliverer has done enough for others.
    @usableFromInline
    func isCrowded(above most: Int, limit: Int) -> Bool { values > most || taken >= max(limit, 1) }

    mutating func takeResumes() -> [@Sendable () -> Void] {
        guard !resumes.isEmpty else { return [] }
        defer { resumes = [] }
        return resumes
    }
}
