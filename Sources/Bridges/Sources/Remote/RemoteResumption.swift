import JournalBridge

/// Looks for the last entry of the connection before in what a new connection brings.
///
/// That entry comes first, as a rule. A server that does not know the place sends what came before, too, and of several
/// entries of the same microsecond the journal may return another one first.
struct RemoteResumption {
    enum Finding {
        /// The entry came before the last one, or it may have.
        case before
        /// It is the last one.
        case last
        /// It comes behind the place of the last one.
        case behind
    }

    /// How many entries are held, and how many bytes of them.
    private static let maxHeld = 1024
    private static let maxBytes = 16 << 20

    let last: [UInt8]?
    private let number: EntryNumber?
    private let realtime: UInt64
    private(set) var isOver = false
    /// How many entries came that are not later than the last one. If the last one is missing, they may be new.
    private var heldCount = 0
    /// Those of them that the filter selects.
    private(set) var held: [JournalEntry] = []
    /// The cursor and the time of the last of them.
    private(set) var lastHeld: (cursor: [UInt8], realtime: UInt64)?
    private var heldBytes = 0

    init(behind place: RemotePlace) {
        last = place.cursor
        number = place.cursor.flatMap { Self.number(of: $0) }
        realtime = place.realtime
    }

    /// Looks at the current entry. The search is over when it is the last one, or behind it.
    mutating func look(at reader: borrowing ExportReader) -> Finding {
        let cursor = reader.cursor
        if cursor == last {
            isOver = true
            return .last
        }
        if let number, Self.number(of: cursor)?.isBefore(number) == true { return .before }
        if last != nil, reader.realtime <= realtime, heldCount < Self.maxHeld, heldBytes < Self.maxBytes {
            heldCount += 1
            lastHeld = (cursor, reader.realtime)
            if reader.isMatch {
                let entry = reader.entry()
                heldBytes += entry.byteCount
                held.append(entry)
            }
            return .before
        }
        isOver = true
        return .behind
    }

    private static func number(of cursor: [UInt8]) -> EntryNumber? {
        EntryNumber(cursor: String(decoding: cursor, as: UTF8.self))
    }
}
