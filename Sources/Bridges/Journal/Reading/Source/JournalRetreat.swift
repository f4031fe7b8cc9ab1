/// The way back through a journal: where it begins, and how far it goes.
package struct JournalRetreat: Sendable, Hashable {
    package enum Start: Sendable, Hashable {
        /// With the newest entry.
        case tail
        /// With the last entry that the journal received at this time or earlier, in microseconds since 1970.
        case time(UInt64)
        /// With the entry before the one with this cursor. If the latter is gone, with the entry that came before it.
        case cursor(String)
    }

    package var start: Start
    /// The way ends with the first entry that the journal received at this time or later, in microseconds since 1970.
    package var since: UInt64?

    package init(from start: Start = .tail, since: UInt64? = nil) {
        self.start = start
        self.since = since
    }
}
