/// An element of a source of records: a record, or the news that all that there was has been told.
public enum RecordItem: Sendable {
    case record(Record)
    /// All records that there were have been told. The next ones come when they happen.
    case caughtUp
}
