/// How important a journal entry is: syslog's eight levels, the most important first.
public enum JournalPriority: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    /// 0: the system cannot be used.
    case emergency
    /// 1: somebody has to act at once.
    case alert
    /// 2: an essential part has failed.
    case critical
    /// 3: an operation has failed.
    case error
    /// 4: it may become an error if nothing is done.
    case warning
    /// 5: normal, but worth noticing.
    case notice
    /// 6: normal operation.
    case info
    /// 7: details for the program's developers.
    case debug

    /// By number: the more important is less, as in a filter's `priority <= err`.
    public static func < (a: JournalPriority, b: JournalPriority) -> Bool { a.rawValue < b.rawValue }
}
