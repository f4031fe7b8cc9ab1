public import Bus
import Loop
public import SystemPackage

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
    /// Fails with ``JournalExportError`` where the stream cannot be read or where the beginning of the next field cannot
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
    ) -> some Signal<JournalItem, JournalExportError> {
        BlockingReaderSignal(
            ExportReading(.at(path), last: nil, isReversed: false, query: query, limits: limits, limit: .max) {
                ItemProjection()
            }
        )
    }

    /// The same from a descriptor: a socket, or the output of a child.
    ///
    /// ```swift
    /// import Bus
    /// import JournalBridge
    /// import ProcessBridge
    /// import SystemPackage
    ///
    /// let pipe = try FileDescriptor.pipe()
    /// var journalctl = ChildProcess("/usr/bin/ssh", ["web-1", "journalctl", "-f", "-o", "export"])
    /// journalctl.output = .descriptor(pipe.writeEnd)
    /// let entries = Signals.journalExport(from: pipe.readEnd).compactMap { $0.entry }
    ///     .subscribe(next: { print($0["MESSAGE"] ?? "") }, failed: { print($0) })
    /// let running = Signals.run(journalctl).subscribe(next: { print($0) }, failed: { print($0) })
    /// try pipe.writeEnd.close()
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: readable. It stays the caller's, who closes it when the signal has ended, and gives it to one subscription.
    ///   - query: which entries; made from a filter.
    ///   - limits: how large an entry may be.
    public static func journalExport(
        from descriptor: FileDescriptor,
        query: JournalQuery = .everything,
        limits: ExportLimits = ExportLimits()
    ) -> some Signal<JournalItem, JournalExportError> {
        BlockingReaderSignal(
            ExportReading(
                .descriptor(descriptor),
                last: nil,
                isReversed: false,
                query: query,
                limits: limits,
                limit: .max
            ) { ItemProjection() }
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
    ) -> some Signal<JournalText, JournalExportError> {
        BlockingReaderSignal(
            ExportReading(
                .at(path),
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
