import Bus
import JournalBridge

/// An element of the journal that is forwarded.
enum ForwardItem: Sendable {
    case entry(cursor: String, json: [UInt8])
    /// An entry that does not match.
    case place(String)
    /// For a person.
    case report(String)
}

/// Splits a batch into entries.
enum ForwardLines {
    static func items(_ text: JournalText) -> [ForwardItem] {
        switch text {
        case .entries(let bytes): bytes.split(separator: 0x0A).map { item($0) }
        case .gap(let gap): [.report(gap.description)]
        case .skipped(let fields): [.report(fields.description)]
        case .place(let cursor): [.place(cursor)]
        case .caughtUp: []
        }
    }

    private static let start = Array("{\"__CURSOR\":\"".utf8)

    /// Each object begins with the entry's cursor, which has no character that JSON escapes.
    private static func item(_ line: ArraySlice<UInt8>) -> ForwardItem {
        guard line.starts(with: start) else { return .report("an entry without a cursor is left out") }
        let cursor = line.dropFirst(start.count).prefix { $0 != UInt8(ascii: "\"") }
        return .entry(cursor: String(decoding: cursor, as: UTF8.self), json: Array(line))
    }
}
