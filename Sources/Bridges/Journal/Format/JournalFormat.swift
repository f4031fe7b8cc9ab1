/// How entries are written out.
public enum JournalFormat: String, Sendable, CaseIterable {
    /// The line of a classic log file: time, host, identifier, process, message.
    case short
    /// The bare message.
    case cat
    /// One JSON object a line, with all fields.
    case json
}
