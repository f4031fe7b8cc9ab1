import JournalBridge
import Records

/// How far a journal of another machine was read, and its entries as records.
struct RemotePlace {
    private let source: String
    /// The number of the last record.
    private var number: UInt64 = 0
    /// The time of the last record.
    private var time: Int64?
    /// The last entry that came, whether the filter selects it or not.
    private(set) var cursor: [UInt8]?

    init(source: String) {
        self.source = source
    }

    /// - Throws: where reading could not go on behind the entry.
    mutating func note(_ cursor: [UInt8]) throws(TailFailure) {
        guard !cursor.isEmpty else {
            throw TailFailure(
                reason: "\(source): an entry came without a cursor, and what comes behind it could not be asked for"
            )
        }
        self.cursor = cursor
    }

    /// The last entry, for a request.
    func last() throws(TailFailure) -> String? {
        guard let cursor else { return nil }
        let text = String(decoding: cursor, as: UTF8.self)
        guard MergedJournal.isCursor(text) else {
            throw TailFailure(reason: "\(source): an entry came with '\(text)' for a cursor, which is none")
        }
        return text
    }

    mutating func record(_ entry: JournalEntry) -> RecordItem {
        number += 1
        let time = Int64(clamping: entry.time)
        self.time = time
        let content = JournalContent(entry)
        return .record(
            Record(source: source, time: time, monotonic: entry.monotonic, sequence: number, content: content)
        )
    }

    /// - Parameter lost: how many entries are missing, where that is known.
    func gap(lost: Int?, _ message: String) -> RecordItem {
        .record(.gap(lost: lost, source: source, time: time ?? Record.now, sequence: number, message: message))
    }
}
