import JournalBridge

/// What a run has to write, in order.
enum TailText: Sendable {
    /// One or more entries, written out.
    case entries([UInt8])
    /// Something for a person, such as a gap.
    case report(String)
    case skipped(SkippedFields)
    /// The source waits for what comes.
    case caughtUp
    /// Everything up to this cursor was handed over.
    case place(String)

    init(_ text: JournalText) {
        self =
            switch text {
            case .entries(let bytes): .entries(bytes)
            case .gap(let gap): .report(gap.description)
            case .skipped(let fields): .skipped(fields)
            case .caughtUp: .caughtUp
            case .place(let cursor): .place(cursor)
            }
    }
}
