import Filter

/// A reader of several journal files that goes from entry to entry: libsystemd, or what is compared with it.
protocol JournalWalk: AnyObject {
    func seekHead()
    func seekTail()
    func seek(realtime: UInt64)
    /// False if it is not a cursor; the place is then what it was.
    func seek(cursor: String) -> Bool
    /// Whether the current entry is that of the cursor.
    func test(cursor: String) -> Bool
    func next() -> Bool
    func previous() -> Bool
    /// The current entry; asked only after a step that led to one.
    func entry() -> WalkedEntry
    /// Asked once, before the first seek.
    func narrow(to match: Match)
    /// Whether anything could not be read.
    func hasGaps() -> Bool
}

/// An entry as a reader shows it. The boot and the sequence number stand in the cursor.
struct WalkedEntry: Equatable, CustomStringConvertible {
    var cursor: String
    var realtime: UInt64
    var monotonic: UInt64
    /// Each `NAME=value`, in the reader's order.
    var fields: [[UInt8]]

    var description: String {
        let shown = fields.map { field in
            String(decoding: field.prefix(40), as: UTF8.self).debugDescription
                + (field.count > 40 ? "…\(field.count)" : "")
        }
        return "\(cursor) t=\(realtime) m=\(monotonic) \(shown.joined(separator: " "))"
    }
}
