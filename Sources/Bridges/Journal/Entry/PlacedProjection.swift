/// An item of a journal, or the place up to which the journal was read without finding one.
package enum PlacedItem: Sendable {
    case item(JournalItem)
    /// The cursor of an entry that the query does not choose.
    case place(String)
}

/// Whole entries, with the places between them.
struct PlacedProjection: JournalProjection {
    private var items = ItemProjection()

    var count: Int { items.count }

    mutating func entry(in reader: JournalReader) -> PlacedItem? { items.entry(in: reader).map { .item($0) } }
    mutating func entry(in reader: borrowing ExportReader) -> PlacedItem? { items.entry(in: reader).map { .item($0) } }
    mutating func entry(_ entry: JournalEntry) -> PlacedItem? { items.entry(entry).map { .item($0) } }
    func gathered() -> PlacedItem? { nil }
    func gap(_ gap: JournalGap) -> PlacedItem { .item(.gap(gap)) }
    func skipped(_ fields: SkippedFields) -> PlacedItem { .item(.skipped(fields)) }
    var caughtUp: PlacedItem { .item(.caughtUp) }
    func place(_ cursor: @autoclosure () -> String) -> PlacedItem? { .place(cursor()) }
}
