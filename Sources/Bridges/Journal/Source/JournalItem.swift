/// What following a journal yields: its entries, and the places where some may be missing.
public enum JournalItem: Sendable {
    case entry(JournalEntry)
    case gap(JournalGap)
}
