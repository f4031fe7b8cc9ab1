/// What reading a journal yields.
public enum JournalItem: Sendable {
    case entry(JournalEntry)
    /// Entries may be missing at this place.
    case gap(JournalGap)
    /// Fields of an export stream were left out, of the entry that comes next. An entry that has no other fields does not
    /// come at all. An entry with very many such fields is told of in several parts.
    case skipped(SkippedFields)
    /// Everything there was has been read; what follows is new. Comes once in a while when following, each time there
    /// was something to catch up with.
    case caughtUp
}

extension JournalItem {
    /// The entry, if it is one.
    public var entry: JournalEntry? {
        if case .entry(let entry) = self { entry } else { nil }
    }
}
