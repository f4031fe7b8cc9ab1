public import Bus
import Loop

extension Signals {
    /// The entries that a query selects from a stream in the journal export format: a file, a pipe, the output of
    /// `journalctl -o export` on this or another machine. Cold; needs no journal.
    ///
    /// Every subscription opens the file on a thread of its own, where the observer is called. While the observer
    /// pauses the thread sleeps and reads nothing; the writer of a pipe then finds it full. A FIFO without a writer
    /// is waited for, like an empty one.
    ///
    /// A field whose name no journal field can have, or that is beyond the limits, is left out of its entry and
    /// reported as ``JournalItem/skipped(_:)``, before that entry and before more is read. Completes with the stream.
    /// Fails with ``ExportFailure`` where the stream cannot be read or where the beginning of the next field cannot
    /// be found, after the entries before that place. Disposal ends the thread at its next step, a waiting one at
    /// once.
    ///
    /// - Parameters:
    ///   - path: a file, or `-` for standard input.
    ///   - query: which entries; made from a filter.
    ///   - limits: how large an entry may be.
    public static func journalExport(
        path: String,
        query: JournalQuery = .everything,
        limits: ExportLimits = ExportLimits()
    ) -> some Signal<JournalItem, ExportFailure> {
        BlockingReaderSignal(
            ExportReading(path: path, last: nil, isReversed: false, query: query, limits: limits, limit: .max) {
                ItemProjection()
            }
        )
    }

    /// The entries of a stream in the journal export format, written out: the newest `last`, or all as they come, and
    /// of these at most `limit`. `path` may be `-` for standard input.
    ///
    /// - Parameter isReversed: whether the newest of the `last` come first.
    package static func journalExportText(
        path: String,
        last: Int?,
        isReversed: Bool = false,
        query: JournalQuery,
        limit: Int?,
        style: JournalStyle
    ) -> some Signal<JournalText, ExportFailure> {
        BlockingReaderSignal(
            ExportReading(
                path: path,
                last: last,
                isReversed: isReversed,
                query: query,
                limits: ExportLimits(),
                limit: limit ?? .max
            ) {
                TextProjection(style)
            }
        )
    }
}
