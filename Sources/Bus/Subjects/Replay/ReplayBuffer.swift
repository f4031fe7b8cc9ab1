public import DequeModule

/// The last values of a signal, and where between them some are missing.
@usableFromInline
package struct ReplayBuffer<Value: Sendable>: Sendable {
    @frozen
    @usableFromInline
    enum Entry: Sendable {
        case value(Value)
        case lost(Int)
    }

    @usableFromInline let capacity: Int
    /// Never ends in more than one loss, and never begins with one: what is missing before all that is kept is nobody's
    /// concern who comes later. So there are at most twice as many entries as values.
    @usableFromInline var entries: Deque<Entry> = []
    @usableFromInline var count = 0

    @usableFromInline
    package init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// Keeps a value, for which the oldest goes when there is no room.
    @inlinable
    package mutating func append(_ value: Value) {
        guard capacity > 0 else { return }
        if count == capacity { removeOldest() } else { count += 1 }
        entries.append(.value(value))
    }

    /// Notes that values are missing behind those that are kept.
    @usableFromInline
    package mutating func lose(_ lost: Int) {
        guard let last = entries.last else { return }
        if case .lost(let before) = last {
            entries[entries.count - 1] = .lost(before + lost)
        } else {
            entries.append(.lost(lost))
        }
    }

    @usableFromInline
    mutating func removeOldest() {
        entries.removeFirst()
        if case .lost = entries.first { entries.removeFirst() }
    }

    /// Sends all of it to a subscriber, as far as it wants it.
    @usableFromInline
    package func replay<Failure>(to slot: SubscriberSlot<Value, Failure>) {
        for entry in entries {
            if slot.hasStopped { return }
            switch entry {
            case .value(let value): slot.send(value)
            case .lost(let count): slot.lost(count)
            }
        }
    }
}
