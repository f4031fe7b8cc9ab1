package import Bus
import Loop
package import Records

/// An element of a journal whose entries are counted.
package enum JournalCounting: Sendable {
    /// The counts of the entries since the last of these, in the order of the first ones. They add up to those of the journal.
    case counts([RecordCounts.Row])
    case gap(JournalGap)
}

extension Signals {
    /// Counts the entries that a query selects, up to the journal's end.
    ///
    /// The counts are those that ``RecordCounts`` would have of the same entries as records, but an entry is not made into one: entries
    /// with the same values, by their places in their file, belong to the same group.
    ///
    /// - Parameters:
    ///   - grouping: what they are counted by.
    ///   - source: the name that the records would have.
    ///   - shift: what is added to their times, in microseconds.
    ///   - progress: receives the progress of one subscription.
    /// - Returns: `nil` where the groups depend on more than the values of single entries.
    package static func journalCounts(
        _ journal: JournalSource,
        from start: JournalStart = .head,
        query: JournalQuery = .everything,
        by grouping: RecordGrouping,
        of source: String = "journal",
        shift: Int64 = 0,
        progress: SearchProgress? = nil
    ) -> (some Signal<JournalCounting, JournalError>)? {
        guard let names = EntryCounter.names(for: grouping) else {
            return nil as BlockingReaderSignal<JournalReading<CountProjection>>?
        }
        return BlockingReaderSignal(
            JournalReading(
                source: journal,
                course: .onward(from: start, follow: false),
                query: query,
                threads: 1,
                limit: .max,
                progress: progress
            ) { CountProjection(EntryCounter(grouping, reading: names, of: source, shift: shift)) }
        )
    }
}

struct CountProjection: JournalProjection {
    /// So many entries are counted before their counts are sent.
    private static let part = 1 << 18

    private(set) var count = 0
    private var sent = 0
    private let counter: EntryCounter

    init(_ counter: EntryCounter) {
        self.counter = counter
    }

    mutating func entry(in reader: JournalReader) -> JournalCounting? {
        guard counter.count(reader) else { return nil }
        count += 1
        return count - sent >= Self.part || counter.isFull ? gathered() : nil
    }

    mutating func entry(in reader: borrowing ExportReader) -> JournalCounting? { self.entry(reader.entry()) }

    mutating func entry(_ entry: JournalEntry) -> JournalCounting? {
        counter.count(entry)
        count += 1
        return counter.isFull ? gathered() : nil
    }

    mutating func gathered() -> JournalCounting? {
        guard count > sent else { return nil }
        sent = count
        return .counts(counter.take())
    }

    func gap(_ gap: JournalGap) -> JournalCounting { .gap(gap) }
    func skipped(_ fields: SkippedFields) -> JournalCounting { .counts([]) }
    var caughtUp: JournalCounting { .counts([]) }
    func place(_ cursor: @autoclosure () -> String) -> JournalCounting? { nil }
}
