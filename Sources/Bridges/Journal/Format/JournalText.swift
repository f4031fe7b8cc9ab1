/// An element of a journal that is read as text.
package enum JournalText: Sendable {
    /// One or more entries as text, one after the other, each with the newline at its end: as many as came at once,
    /// because handing each on by itself would cost as much as writing it.
    case entries([UInt8])
    case gap(JournalGap)
    case skipped(SkippedFields)
    case caughtUp
    /// The cursor of the last entry that was evaluated, whether or not it was wanted. All wanted entries up to it came before. Only
    /// where places are asked for.
    case place(String)
}
