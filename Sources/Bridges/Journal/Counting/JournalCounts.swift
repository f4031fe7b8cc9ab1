public import Bus
import Loop
public import Records

/// The entries of a journal that a query selects, in numbers.
public struct JournalCounts: Sendable {
    /// The counts by each of the groupings, in their order.
    public internal(set) var groups: [RecordCounts]
    /// How many entries there are.
    public internal(set) var total = 0
    /// The number of the last entry of each file when counting began.
    package internal(set) var ends: [EntryNumber] = []
    /// Which share of the journal's files has been read, from 0 to 1.
    public internal(set) var share = 0.0
}

/// An element of a journal whose entries are counted.
public enum JournalCounting: Sendable {
    /// The counts of all entries that have been read so far.
    case counts(JournalCounts)
    /// Entries may be missing.
    case gap(JournalGap)
}

extension Signals {
    /// Counts the entries that a query selects, up to the journal's end, by several groupings at once. Cold.
    ///
    /// The counts are exact, and the same as those of the entries' records (`records(named:)`) by the same groupings, but an entry is not
    /// made into a record: entries with the same values, by their places in their file, belong to the same group.
    ///
    /// A file that is not written any more, and whose entries all come before or behind those of the other files, is not gone through
    /// where that would take longer: the journal keeps for each value the list of its entries, and these lists are counted. Of an entry
    /// at most the head is read then, for its time, and the query is evaluated once for all entries with the same values. That takes
    /// fields with few values, and a query that reads no time but that of receipt. A file whose lists do not agree with each other is gone
    /// through as ever, and so is one that was not closed, as after a crash; damage that shows in no list is not noticed.
    ///
    /// The counts grow: they are sent after the first 50 ms, and again each time a quarter more time has passed, and the last ones just
    /// before the end, which are those of the whole. An entry that cannot be read, and a gap, are as in `Signals.journal(_:)`.
    /// A grouping has at most 100,000 groups, see `RecordCounts.others`.
    ///
    /// Every subscription opens the journal on a thread of its own, where the observer is called. While the observer pauses, nothing is
    /// read. Completes at the journal's end. Fails with ``JournalError`` when the journal cannot be opened or read on. Disposal ends the
    /// thread at its next step.
    ///
    /// - Parameters:
    ///   - journal: which journal.
    ///   - start: where reading begins.
    ///   - query: which entries; made from a filter.
    ///   - groupings: what they are counted by.
    public static func journalCounts(
        _ journal: JournalSource = .system,
        from start: JournalStart = .head,
        query: JournalQuery = .everything,
        by groupings: [RecordGrouping]
    ) -> some Signal<JournalCounting, JournalError> {
        journalCounts(journal, from: start, query: query, by: groupings, of: "journal")
    }

    /// The same by a strategy that is chosen. For benchmarks.
    @_spi(Forced)
    public static func journalCounts(
        _ journal: JournalSource,
        query: JournalQuery,
        by groupings: [RecordGrouping],
        strategy: CountingStrategy
    ) -> some Signal<JournalCounting, JournalError> {
        journalCounts(journal, query: query, by: groupings, of: "journal", strategy: strategy)
    }

    /// The same as part of a run.
    ///
    /// - Parameters:
    ///   - source: the name that the records would have.
    ///   - shift: what is added to their times, in microseconds.
    ///   - progress: receives the progress of one subscription.
    ///   - kept: makes the next question about the same fields of the same files cheap.
    ///   - strategy: is chosen in tests only.
    package static func journalCounts(
        _ journal: JournalSource,
        from start: JournalStart = .head,
        query: JournalQuery = .everything,
        by groupings: [RecordGrouping],
        of source: String,
        shift: Int64 = 0,
        progress: SearchProgress? = nil,
        keeping kept: KeptColumns? = nil,
        strategy: CountingStrategy = .cheapest
    ) -> some Signal<JournalCounting, JournalError> {
        BlockingReaderSignal(
            JournalReading(
                source: journal,
                course: .onward(from: start, follow: false),
                query: query,
                threads: 1,
                limit: .max,
                progress: progress
            ) {
                let counter = EntryCounter(groupings, of: source, shift: shift)
                let selection = ValueSelection(query, from: start)
                return CountProjection(counter, groupings.count, selection, kept, strategy)
            }
        )
    }
}

/// How files are counted.
@_spi(Forced)
public enum CountingStrategy: String, CaseIterable, Sendable {
    case cheapest
    /// Going through the entries that the access plan finds.
    case entries
    /// By the lists of values, where these can tell.
    case values
}

struct CountProjection: JournalProjection {
    /// The clock is read after so many entries.
    private static let pace = 1 << 10
    private static let firstPart = Duration.milliseconds(50)

    private let counter: EntryCounter
    /// `nil` where the query is not answered by values.
    private let selection: ValueSelection?
    private let kept: KeptColumns?
    private let strategy: CountingStrategy
    private var counts: JournalCounts
    /// The files that are counted one by one, before the others are read together; `nil` before they are known.
    private var files: [JournalFile]?
    /// Whether the order of those must be proved.
    private var readsTimes = false
    /// How many entries all files have, and how many those that were counted one by one.
    private var whole = 0
    private var passed = 0
    private let begin = ContinuousClock.now
    private var next: ContinuousClock.Instant

    init(
        _ counter: EntryCounter,
        _ groupings: Int,
        _ selection: ValueSelection?,
        _ kept: KeptColumns?,
        _ strategy: CountingStrategy
    ) {
        self.counter = counter
        self.selection = selection
        self.kept = kept
        self.strategy = strategy
        counts = JournalCounts(groups: Array(repeating: RecordCounts(), count: groupings))
        next = begin + Self.firstPart
    }

    var count: Int { counter.count }

    mutating func entries(
        in reader: JournalReader,
        upTo limit: Int,
        while goesOn: () -> Bool
    ) throws(JournalError) -> (step: JournalReader.Step, value: JournalCounting?) {
        if files == nil {
            files = selection != nil && reader.isUnread ? countedFiles(of: reader) : []
            whole = reader.journal.files.reduce(0) { $0 + $1.count }
            counts.ends = reader.journal.files.map { EntryNumber($0.header.sequenceID, $0.lastSequence) }
        }
        // A file a time, so that it can be stopped in between.
        if let selection, let file = files?.popLast() {
            guard counter.count(file, selection, readsTimes: readsTimes, kept) else { return (.entry, nil) }
            passed += file.count
            if counter.isFull { counter.move(to: &counts.groups) }
            reader.journal.remove(file)
            counts.share = Double(passed) / Double(max(1, whole))
            return (.entry, ContinuousClock.now >= next ? gathered() : nil)
        }
        return try nextEntries(in: reader, upTo: limit, while: goesOn)
    }

    /// The files that are counted by the lists of their values.
    private mutating func countedFiles(of reader: JournalReader) -> [JournalFile] {
        if strategy == .entries { return [] }
        let counted = CountedFiles(among: reader.journal.files)
        readsTimes = counted.needTimes
        return counted.files.filter { strategy == .values || isCheap($0) }
    }

    /// Whether reading the heads of all entries of the file costs less than going through those that its access plan finds.
    private func isCheap(_ file: JournalFile) -> Bool {
        let found = file.indexScan.map { $0.estimate * AccessPlan.costOfLookup } ?? file.wanted.count
        let headsForEntry = kept?[file] == nil ? 4 : 32
        return file.count < found * headsForEntry
    }

    mutating func entry(in reader: JournalReader) -> JournalCounting? {
        guard counter.count(reader) else { return nil }
        if counter.isFull { counter.move(to: &counts.groups) }
        guard count & (Self.pace - 1) == 0, ContinuousClock.now >= next else { return nil }
        let share = reader.progress
        if share.whole > 0 { counts.share = min(1, Double(share.passed) / Double(share.whole)) }
        return gathered()
    }

    mutating func entry(in reader: borrowing ExportReader) -> JournalCounting? { self.entry(reader.entry()) }

    mutating func entry(_ entry: JournalEntry) -> JournalCounting? {
        counter.count(entry)
        return counter.isFull ? gathered() : nil
    }

    mutating func gathered() -> JournalCounting? {
        guard count > counts.total else { return nil }
        counter.move(to: &counts.groups)
        counts.total = count
        let now = ContinuousClock.now
        next = now + max(Self.firstPart, (now - begin) / 4)
        return .counts(counts)
    }

    func gap(_ gap: JournalGap) -> JournalCounting { .gap(gap) }
    func skipped(_ fields: SkippedFields) -> JournalCounting { .counts(counts) }
    var caughtUp: JournalCounting { .counts(counts) }
    func place(_ cursor: @autoclosure () -> String) -> JournalCounting? { nil }
}
