/// What reading a journal yields when only its text is wanted.
package enum JournalText: Sendable {
    /// One entry, written out, with the newline at its end.
    case entry([UInt8])
    case gap(JournalGap)
    case caughtUp
}
