import Filter

/// A reader that goes from entry to entry through several journal files: libsystemd, or a reader that is compared with
/// it.
protocol JournalWalk: AnyObject {
    func seekHead()
    func seekTail()
    func seek(realtime: UInt64)
    /// False if the text is not a cursor. The position then does not change.
    func seek(cursor: String) -> Bool
    /// Whether the current entry is that of the cursor.
    func test(cursor: String) -> Bool
    func next() -> Bool
    func previous() -> Bool
    /// The current entry. Only valid after a step that led to one.
    func entry() -> WalkedEntry
    /// Called once, before the first seek.
    func narrow(to match: Match)
    /// Whether anything could not be read.
    func hasGaps() -> Bool
}

/// An entry as a reader shows it. The cursor contains the boot and the sequence number.
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
