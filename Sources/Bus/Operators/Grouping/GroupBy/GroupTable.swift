/// The groups of one subscription: which ones exist, whether there may be another, which has been silent longest.
struct GroupTable<Key: Hashable & Sendable, Group: AnyObject & Sendable>: Sendable {
    private struct Entry: Sendable {
        let group: Group
        /// When it was created, counted in groups.
        let serial: UInt64
        /// When it had its last value, counted in values.
        var lastValue: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var created: UInt64 = 0
    private var values: UInt64 = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var isEmpty: Bool { entries.isEmpty }

    var isFull: Bool { entries.count >= limit }

    /// The group of a new value.
    mutating func group(for key: Key) -> Group? {
        values += 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastValue = values
        return entries.values[index].group
    }

    mutating func add(_ group: Group, for key: Key) {
        entries[key] = Entry(group: group, serial: created, lastValue: values)
        created += 1
    }

    /// Removes the group that has been without a value longest.
    mutating func removeOldest() -> Group? {
        guard let oldest = entries.min(by: { $0.value.lastValue < $1.value.lastValue }) else { return nil }
        return entries.removeValue(forKey: oldest.key)?.group
    }

    /// Removes the group, unless its key has another one by now.
    mutating func remove(_ group: Group, for key: Key) {
        if entries[key]?.group === group { entries.removeValue(forKey: key) }
    }

    /// Removes all groups, and returns them in the order in which they were created.
    mutating func removeAll() -> [Group] {
        defer { entries = [:] }
        return entries.values.sorted { $0.serial < $1.serial }.map(\.group)
    }
}
