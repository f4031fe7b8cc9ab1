/// What reading a journal yields.
public enum JournalItem: Sendable {
    case entry(JournalEntry)
    /// Entries may be missing at this place.
    case gap(JournalGap)
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
