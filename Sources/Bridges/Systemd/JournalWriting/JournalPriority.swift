/// How important a journal entry is: syslog's eight levels, the most important first.
public enum JournalPriority: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    case emergency
    case alert
    case critical
    case error
    case warning
    case notice
    case info
    case debug

    /// By number: the more important is less, as in a filter's `priority <= err`.
    public static func < (a: JournalPriority, b: JournalPriority) -> Bool { a.rawValue < b.rawValue }
}
