/// An element of a source of records: a record, or the report that all old records have been sent.
public enum RecordItem: Sendable {
    /// An old record before ``caughtUp``, a new one after it. Gaps are records, too.
    case record(Record)
    /// All old records have been sent. The next ones come when they happen.
    case caughtUp
    /// Everything up to here has been sent, or is not wanted: a text by which the source goes on behind this place. Comes only where it
    /// was asked for, and then behind each record at least, and before the first one
    /// where a later reader would not begin with the same records.
    case place(String)
}
