import JournalBridge
import Records

/// How far a journal of another machine was read, and its entries as records.
struct RemotePlace {
    private let source: String
    /// The number of the last record.
    private var number: UInt64 = 0
    /// The time of the last record.
    private var time: RecordTime?
    /// The last entry that came, whether the filter selects it or not.
    private(set) var cursor: [UInt8]?
    /// When the journal received that entry, in microseconds since 1970.
    private(set) var realtime: UInt64
    /// How many entries came since a record or a place was sent.
    private var passed = 0

    /// - Parameter cursor: of the last entry that came to an earlier reader.
    init(source: String, behind cursor: String? = nil) {
        self.source = source
        self.cursor = cursor.map { Array($0.utf8) }
        realtime = cursor.flatMap { MergedJournal.realtime(ofCursor: $0) } ?? 0
    }

    /// - Throws: where reading could not go on behind the entry.
    mutating func note(_ cursor: [UInt8], _ realtime: UInt64) throws(SourceError) {
        guard !cursor.isEmpty else {
            throw SourceError(
                of: source,
                "an entry came without a cursor, and what comes behind it could not be asked for"
            )
        }
        self.cursor = cursor
        self.realtime = realtime
        passed += 1
    }

    /// The last entry for a later reader, if so many have come since the last record.
    mutating func text(after count: Int) throws(SourceError) -> String? {
        guard passed >= count else { return nil }
        passed = 0
        return try last()
    }

    /// The last entry, for a request.
    func last() throws(SourceError) -> String? {
        guard let cursor else { return nil }
        let text = String(decoding: cursor, as: UTF8.self)
        guard cursor.count <= Self.maxCursorLength, cursor.allSatisfy(Self.isPlain), MergedJournal.isCursor(text) else {
            let start = String(decoding: cursor.prefix(64), as: UTF8.self).debugDescription
            throw SourceError(of: source, "the server sent an invalid cursor, which begins with \(start)")
        }
        return text
    }

    private static let maxCursorLength = 256

    /// The bytes that journald writes into a cursor. None has a meaning for a shell, or in a header of HTTP.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || "=;-".utf8.contains(byte)
    }

    mutating func record(_ entry: JournalEntry) -> RemoteItem {
        number += 1
        passed = 0
        let time = entry.time
        self.time = time
        let content = JournalContent(entry)
        return .item(
            .record(Record(source: source, time: time, monotonic: entry.monotonic, sequence: number, content: content))
        )
    }

    /// - Parameter lost: how many entries are missing, where that is known.
    func gap(lost: Int?, _ message: String) -> RemoteItem {
        .item(.record(.gap(lost: lost, source: source, time: time ?? .now, sequence: number, message: message)))
    }
}
