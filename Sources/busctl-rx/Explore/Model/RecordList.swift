import Records

/// The part of the records that is held for the list, the oldest first.
struct RecordList {
    /// How many are read at once.
    static let page = 400
    private static let maxCount = 5_000

    private(set) var records: [Record] = []
    /// The place of the record under the cursor.
    private(set) var cursor = 0
    /// Whether nothing older is left to read, and nothing newer.
    private(set) var hasBegin = false
    private(set) var hasEnd: Bool
    /// Whether the cursor stays with the newest record.
    private(set) var isAtEnd: Bool

    /// - Parameter isAtEnd: whether older ones than the newest will come, and not those on both sides of a place.
    init(atEnd isAtEnd: Bool) {
        self.isAtEnd = isAtEnd
        hasEnd = isAtEnd
    }

    /// - Parameter record: those on both sides of it will come.
    init(around record: Record) {
        self.init(atEnd: false)
        records = [record]
    }

    var current: Record? { records.indices.contains(cursor) ? records[cursor] : nil }

    mutating func move(to index: Int) {
        cursor = max(0, min(index, records.count - 1))
        isAtEnd = hasEnd && cursor >= records.count - 1
    }

    mutating func move(by count: Int) { move(to: cursor + count) }

    /// - Parameter more: the newest first.
    mutating func addOlder(_ more: [Record]) {
        records.insert(contentsOf: more.reversed(), at: 0)
        cursor = isAtEnd ? records.count - 1 : cursor + more.count
        keepCursor()
        let excess = records.count - Self.maxCount
        // Records far from the cursor can be read again.
        guard excess > 0, cursor < Self.maxCount else { return }
        records.removeLast(excess)
        (hasEnd, isAtEnd) = (false, false)
    }

    mutating func addNewer(_ more: [Record]) {
        records.append(contentsOf: more)
        if isAtEnd { cursor = max(0, records.count - 1) }
        let excess = records.count - Self.maxCount
        guard excess > 0, cursor >= excess else { return }
        records.removeFirst(excess)
        cursor -= excess
        hasBegin = false
    }

    /// The records are of an earlier question.
    mutating func forget(atEnd isAtEnd: Bool) { (self.isAtEnd, hasEnd, hasBegin) = (isAtEnd, isAtEnd, false) }

    mutating func reachBegin() { hasBegin = true }
    mutating func reachEnd() {
        hasEnd = true
        keepCursor()
    }

    /// The cursor stands behind the last record while newer ones may still come.
    private mutating func keepCursor() {
        if hasEnd || cursor > records.count { cursor = max(0, min(cursor, records.count - 1)) }
    }
}
