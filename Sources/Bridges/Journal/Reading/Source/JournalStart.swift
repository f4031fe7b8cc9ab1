public import Records

/// The place where reading begins.
public enum JournalStart: Sendable, Hashable {
    /// At the oldest entry.
    case head
    /// So that this many of the newest matching entries come first, or all if there are fewer. 0 begins with the next
    /// new one.
    case tail(Int)
    /// After the entry with this cursor. If that entry is gone, at the one that followed it.
    case cursor(String)
    /// At the first entry that the journal received at this time or later. An entry may have been made before it was
    /// received; a filter with `time >= …` leaves out entries that were made too early.
    case time(RecordTime)
}
