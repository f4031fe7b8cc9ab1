/// A single run that is scheduled. See ``OneShots``.
public struct OneShot: Sendable, Hashable, CustomStringConvertible {
    /// The id that it was scheduled with.
    public let id: String
    /// The instant of the wall clock that it is scheduled at.
    public let time: TimerInstant
    /// The attempt that runs, or the next one; from 1.
    public let attempt: Int
    /// Whether it has begun, and its end is not written yet.
    public let isRunning: Bool

    init?(_ entry: JobRecord.Entry) {
        guard let id = entry.id else { return nil }
        self.id = id
        time = entry.time
        attempt = entry.attempt
        isRunning = entry.number != nil
    }

    /// Such as `invoice-7 2027-01-04T08:00:00Z`.
    public var description: String {
        "\(id) \(time.iso8601)" + (attempt > 1 ? ", attempt \(attempt)" : "") + (isRunning ? ", running" : "")
    }
}

extension JobRecord {
    /// Puts a one-shot in the place of the one that waits; false when there is no place.
    mutating func replaceOneShot(_ id: String, at time: TimerInstant) -> Bool {
        var new = entries
        new.removeAll { $0.id == id && $0.number == nil }
        guard new.count < Self.maxEntries else { return false }
        new.insert(Entry(id: id, time: time), at: new.firstIndex { $0.number == nil && $0.time > time } ?? new.endIndex)
        entries = new
        return true
    }

    /// Removes the one-shots of an id, also one that runs; false when there are none.
    mutating func removeOneShots(_ id: String) -> Bool {
        let count = entries.count
        entries.removeAll { $0.id == id }
        return entries.count < count
    }

    /// Whether a one-shot waits that was scheduled while an earlier one of this id ran.
    func isReplaced(_ id: String?) -> Bool { id != nil && entries.contains { $0.id == id && $0.number == nil } }
}
