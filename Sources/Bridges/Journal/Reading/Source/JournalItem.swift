/// An element of a journal's signal.
public enum JournalItem: Sendable {
    /// An entry that the query selects.
    case entry(JournalEntry)
    /// Entries may be missing at this place.
    case gap(JournalGap)
    /// Fields of an export stream were left out of the entry that comes next. An entry that has no other fields does
    /// not come at all. An entry with very many such fields is reported in several parts.
    case skipped(SkippedFields)
    /// All existing entries have been read; later ones are new. When following, it comes again each time the reader
    /// has caught up.
    case caughtUp
}

extension JournalItem {
    /// The entry, if it is one.
    public var entry: JournalEntry? {
        if case .entry(let entry) = self { entry } else { nil }
    }
}
