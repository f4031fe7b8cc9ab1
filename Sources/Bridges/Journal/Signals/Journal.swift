public import Bus

extension Signals {
    /// The entries of a systemd journal that a query selects, from a place on, and then as they come. Cold.
    ///
    /// ```
    /// journal --a-b-c----------d------e--
    /// query   --a---c-----------------e--
    /// journal --a---c-(caughtUp)------e-(caughtUp)
    /// ```
    ///
    /// Every subscription opens the journal on a thread of its own, where the observer is called. While following, a new
    /// entry is heard within some 20 ms. Entries come in the journal's order; rotation loses none; where damage or deletion
    /// may have lost some, there is a ``JournalItem/gap(_:)``.
    ///
    /// While the observer pauses the thread sleeps and looks at nothing. It holds its place in the journal, which is found
    /// when it is opened, and goes on from there: nothing is queued here, and nothing is lost but what the journal itself
    /// deletes meanwhile, which is told as a gap.
    ///
    /// Completes when everything has been read and `follow` is false. Fails with ``JournalError`` when the journal
    /// cannot be opened or read on. The journal is closed before the end is heard. Disposal ends the thread at its next
    /// step, a sleeping one at once.
    ///
    /// - Parameters:
    ///   - source: which journal.
    ///   - start: where reading begins.
    ///   - follow: whether to wait for new entries.
    ///   - query: which entries; made from a filter.
    public static func journal(
        _ source: JournalSource = .system,
        from start: JournalStart = .head,
        follow: Bool = true,
        query: JournalQuery = .everything
    ) -> some Signal<JournalItem, JournalError> {
        ReaderSignal(
            reading: JournalReading(source: source, start: start, follow: follow, query: query, limit: .max) {
                ItemProjection()
            }
        )
    }

    /// The same, at most `limit` entries, written out in a format straight from the journal's own memory.
    ///
    /// - Parameter forTerminal: whether a terminal will show the text, which then holds nothing that could drive it.
    package static func journalText(
        _ source: JournalSource,
        from start: JournalStart,
        follow: Bool,
        query: JournalQuery,
        limit: Int?,
        format: JournalFormat,
        forTerminal: Bool
    ) -> some Signal<JournalText, JournalError> {
        ReaderSignal(
            reading: JournalReading(source: source, start: start, follow: follow, query: query, limit: limit ?? .max) {
                TextProjection(format, forTerminal: forTerminal)
            }
        )
    }

    /// The entries that a query selects from a stream in the journal export format: a file, a pipe, what
    /// `journalctl -o export` prints here or on another machine. Cold; needs neither a journal nor libsystemd's reading.
    ///
    /// Every subscription opens the file on a thread of its own, where the observer is called. While the observer pauses the
    /// thread sleeps and reads nothing; whoever writes into a pipe then finds it full. A FIFO without a writer is waited for, as
    /// an empty one is.
    ///
    /// A field whose name no journal field can have, or that is beyond the limits, is left out of its entry and told as
    /// ``JournalItem/skipped(_:)``, before that entry and before more is read. Completes with the stream. Fails with
    /// ``ExportFailure`` where the stream cannot be read or where it cannot be told where the next field begins, after the
    /// entries before that place. Disposal ends the thread at its next step, a waiting one at once.
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
        ReaderSignal(
            reading: ExportReading(path: path, last: nil, query: query, limits: limits, limit: .max) {
                ItemProjection()
            }
        )
    }

    /// The entries of a stream in the journal export format, written out: the newest `last`, or all as they come, and
    /// of these at most `limit`. `path` may be `-` for standard input.
    package static func journalExportText(
        path: String,
        last: Int?,
        query: JournalQuery,
        limit: Int?,
        format: JournalFormat,
        forTerminal: Bool
    ) -> some Signal<JournalText, ExportFailure> {
        ReaderSignal(
            reading: ExportReading(path: path, last: last, query: query, limits: ExportLimits(), limit: limit ?? .max) {
                TextProjection(format, forTerminal: forTerminal)
            }
        )
    }
}
