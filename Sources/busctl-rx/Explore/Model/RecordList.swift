import Records

/// The part of the records that is held for the list, the oldest first.
struct RecordList {
    /// How many are read at once.
    static let page = 400
    private static let maxCount = 5_000
    /// More bytes of records are not held, but for this many records on each side of the cursor.
    static let maxBytes = 16 << 20
    private static let around = 100

    private(set) var records: [Record] = []
    private var bytes = 0
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
        bytes = record.content.footprint
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
        bytes += Self.bytes(of: more)
        // Records far from the cursor can be read again.
        let excess = excess(among: records.dropFirst(cursor + 1 + Self.around).reversed())
        guard excess > 0 else { return }
        records.removeLast(excess)
        (hasEnd, isAtEnd) = (false, false)
    }

    mutating func addNewer(_ more: [Record]) {
        records.append(contentsOf: more)
        if isAtEnd { cursor = max(0, records.count - 1) }
        bytes += Self.bytes(of: more)
        let excess = excess(among: records.prefix(max(0, cursor - Self.around)))
        guard excess > 0 else { return }
        records.removeFirst(excess)
        cursor -= excess
        hasBegin = false
    }

    static func bytes(of records: [Record]) -> Int { records.reduce(0) { $0 + $1.content.footprint } }

    /// How many of these records go, the first ones first, until the others are within the bounds. Their bytes are taken off.
    private mutating func excess(among records: some Sequence<Record>) -> Int {
        var count = 0
        for record in records {
            guard self.records.count - count > Self.maxCount || bytes > Self.maxBytes else { break }
            bytes -= record.content.footprint
            count += 1
        }
        return count
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
