/// How entries are written out. Of a field that is there more than once, `short` and `cat` have the first value.
public enum JournalFormat: String, Sendable, CaseIterable {
    /// The line of a classic log file: ``JournalEntry/time``, host, identifier, process, message.
    case short
    /// The bare message.
    case cat
    /// One JSON object a line, with all fields.
    case json
}
