public import Bus
import Loop

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
    /// entry is heard within 5 ms at the median if the one before it came less than a quarter of a second ago, and within a
    /// hundredth of that time otherwise. After three seconds without entries the reader no longer polls; the next
    /// entry is then heard when journald announces its writing, up to 400 ms late. Entries come in the order in which
    /// journalctl shows them; rotation loses none; where damage or deletion has lost some, there is a
    /// ``JournalItem/gap(_:)``.
    ///
    /// While the observer pauses the thread sleeps and reads nothing. It holds its place in the journal and goes
    /// on from there: nothing is queued here. Nothing is lost except entries that the journal itself deletes
    /// meanwhile, which are reported as a gap.
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
    ///   - threads: how many threads search the existing entries, including the one above. The others call only the
    ///     query's filter, and end with the subscription.
    public static func journal(
        _ source: JournalSource = .system,
        from start: JournalStart = .head,
        follow: Bool = true,
        query: JournalQuery = .everything,
        threads: Int = 1
    ) -> some Signal<JournalItem, JournalError> {
        journal(source, .onward(from: start, follow: follow), query: query, threads: threads, limit: nil)
    }

    /// The same in either direction, at most `limit` entries. On the way back a gap takes the place of the missing
    /// entries, before the older ones.
    ///
    /// - Parameter progress: receives the progress of one subscription.
    package static func journal(
        _ source: JournalSource,
        _ course: JournalCourse,
        query: JournalQuery,
        threads: Int = 1,
        limit: Int?,
        progress: SearchProgress? = nil
    ) -> some Signal<JournalItem, JournalError> {
        BlockingReaderSignal(
            JournalReading(
                source: source,
                course: course,
                query: query,
                threads: threads,
                limit: limit ?? .max,
                progress: progress
            ) { ItemProjection() }
        )
    }

    /// The same, encoded straight from the journal's own memory, with the places up to which the journal was read.
    ///
    /// - Parameter makeEncoder: called once for each subscription, on its thread.
    package static func journalEncoded(
        _ source: JournalSource,
        _ course: JournalCourse,
        query: JournalQuery,
        by makeEncoder: @escaping @Sendable () -> any EntryEncoder
    ) -> some Signal<EncodedItem, JournalError> {
        BlockingReaderSignal(
            JournalReading(source: source, course: course, query: query, threads: 1, limit: .max, progress: nil) {
                EncodedProjection(makeEncoder())
            }
        )
    }

    /// The same, written out straight from the journal's own memory.
    ///
    /// - Parameters:
    ///   - tellsPlaces: whether to report the place to which the journal was read, see ``JournalText/place(_:)``.
    ///   - progress: receives the progress of one subscription.
    package static func journalText(
        _ source: JournalSource,
        _ course: JournalCourse,
        query: JournalQuery,
        threads: Int,
        limit: Int?,
        style: JournalStyle,
        tellsPlaces: Bool = false,
        progress: SearchProgress? = nil
    ) -> some Signal<JournalText, JournalError> {
        BlockingReaderSignal(
            JournalReading(
                source: source,
                course: course,
                query: query,
                threads: threads,
                limit: limit ?? .max,
                progress: progress
            ) { TextProjection(style, tellsPlaces: tellsPlaces) }
        )
    }
}
