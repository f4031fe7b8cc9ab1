import HeapModule

/// The groups of one subscription: which ones exist, whether there may be another, which has been silent longest.
struct GroupTable<Key: Hashable & Sendable, Group: AnyObject & Sendable>: Sendable {
    private struct Entry: Sendable {
        let group: Group
        /// When it was created, counted in groups.
        let serial: UInt64
        /// When it had its last value, counted in values.
        var lastValue: UInt64
    }

    /// When a group had its last value. It may have had a later one since.
    ///
    /// It has no key: it is dropped under a lock, where a key's deinitialiser must not run.
    private struct Silence: Sendable, Comparable {
        let since: UInt64
        let serial: UInt64

        static func < (left: Silence, right: Silence) -> Bool { left.since < right.since }
    }

    private let limit: Int
    private let findsOldest: Bool
    private var entries: [Key: Entry] = [:]
    /// The keys of the groups by their serial numbers; empty unless the oldest group is asked for.
    private var keys: [UInt64: Key] = [:]
    /// One for each of the keys, and some for groups that are gone.
    private var silences = Heap<Silence>()
    private var created: UInt64 = 0
    private var values: UInt64 = 0

    /// - Parameter findsOldest: whether ``removeOldest()`` is called.
    init(limit: Int, findsOldest: Bool) {
        self.limit = max(1, limit)
        self.findsOldest = findsOldest
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
        if findsOldest {
            keys[created] = key
            silences.insert(Silence(since: values, serial: created))
            forgetSilences()
        }
        created += 1
    }

    /// Removes the group that has been without a value longest.
    ///
    /// A group that has had a value since it was noted is noted again, which that value pays for.
    mutating func removeOldest() -> Group? {
        while let silence = silences.popMin() {
            guard let key = keys[silence.serial], let entry = entries[key] else { continue }
            if entry.lastValue == silence.since {
                remove(entry.group, for: key)
                return entry.group
            }
            silences.insert(Silence(since: entry.lastValue, serial: silence.serial))
        }
        return nil
    }

    /// Removes the group, unless its key has another one by now.
    mutating func remove(_ group: Group, for key: Key) {
        guard let entry = entries[key], entry.group === group else { return }
        entries[key] = nil
        keys[entry.serial] = nil
    }

    /// Removes all groups, and returns them in the order in which they were created.
    mutating func removeAll() -> [Group] {
        defer { (entries, keys, silences) = ([:], [:], Heap()) }
        return entries.values.sorted { $0.serial < $1.serial }.map(\.group)
    }

    /// Groups that are gone must not gather.
    private mutating func forgetSilences() {
        guard silences.count > 2 * entries.count + 64 else { return }
        silences = Heap(entries.values.map { Silence(since: $0.lastValue, serial: $0.serial) })
    }
}
