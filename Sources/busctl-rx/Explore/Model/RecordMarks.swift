import JournalBridge
import Records

/// Marked records, in the order of their times.
struct RecordMarks {
    private static let maxCount = 1000
    private static let maxBytes = RecordList.maxBytes

    private(set) var records: [Record] = []

    func contains(_ record: Record) -> Bool { records.contains { $0.isSame(as: record) } }

    /// False if there is no room for one more.
    mutating func toggle(_ record: Record) -> Bool {
        if let index = records.firstIndex(where: { $0.isSame(as: record) }) {
            records.remove(at: index)
        } else {
            let bytes = RecordList.bytes(of: records) + record.content.footprint
            guard records.count < Self.maxCount, records.isEmpty || bytes <= Self.maxBytes else { return false }
            records.insert(record, at: records.firstIndex { $0.time > record.time } ?? records.count)
        }
        return true
    }

    /// The one after a record, and after the last one the first.
    func next(after current: Record?) -> Record? {
        guard let current else { return records.first }
        if let index = records.firstIndex(where: { $0.isSame(as: current) }) {
            return records[(index + 1) % records.count]
        }
        return records.first { $0.time > current.time } ?? records.first
    }
}

extension Record {
    /// Whether it is the same record, and not only one that says the same.
    fileprivate func isSame(as other: Record) -> Bool {
        guard time == other.time, source == other.source else { return false }
        // Of a journal, numbers are those of one reading.
        switch ((content as? JournalContent)?.entry.cursor, (other.content as? JournalContent)?.entry.cursor) {
        case (let one?, let other?): return one == other
        default: return sequence == other.sequence
        }
    }
}
