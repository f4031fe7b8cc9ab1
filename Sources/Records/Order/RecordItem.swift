/// What a source of records says: a record, or that it has said what there was.
public enum RecordItem: Sendable {
    case record(Record)
    /// What comes from here on comes when it happens.
    case caughtUp
}
