/// The parts of a file in which the wall clock was not set back, so that entries can be found by their times.
///
/// A writer that sees the clock go back begins another file, but not every writer does, and a machine may start with a clock that is
/// behind. Entries are compared at regular distances. Where the time since the boot and the wall clock differ by more between two of
/// them than a clock is corrected little by little, the entries between them are compared, too, until the place is found. A clock that was
/// set back and forth again between two compared entries is not noticed.
struct ClockRuns {
    struct Run {
        /// The indexes of the entries.
        let entries: Range<Int>
        /// The times of the first and the last.
        let first, last: UInt64
        /// Those that were compared, in their order.
        fileprivate let samples: [Sample]

        /// The first entry for which `isBehind` is true. `nil` where an entry on the way cannot be read.
        fileprivate func firstIndex(of file: JournalFile, where isBehind: (UInt64) -> Bool) -> Int? {
            let next = BinarySearch.firstIndex(below: samples.count) { isBehind(samples[$0].entry.realtime) }
            let lower = next > 0 ? samples[next - 1].index + 1 : entries.lowerBound
            let upper = next < samples.count ? samples[next].index : entries.upperBound
            return BinarySearch.firstIndex(in: lower..<upper) { index in
                ClockRuns.sample(index, of: file).map { isBehind($0.entry.realtime) }
            }
        }
    }

    private(set) var runs: [Run] = []
    /// By so much an entry may be older than one before it in the same run.
    private(set) var slack = Self.minSlack

    /// How many entries lie between two that are compared, at most, and how many are compared at least. Each takes two reads.
    private static let distance = 16_384
    private static let minParts = 16
    /// So many entries are compared beside those. Behind that, a clock that was set forward is not searched for: it hides no entry unless it
    /// was set back as well.
    private static let maxComparisons = 2048
    /// A clock is corrected by so many microseconds unnoticed, and by one in so many.
    private static let minSlack: UInt64 = 1_000_000
    private static let slewing: UInt64 = 2000

    fileprivate struct Sample {
        let index: Int
        let entry: EntryRef
    }

    /// `nil` where an entry cannot be read, or the times have no order.
    ///
    /// - Parameter file: has at least one entry.
    init?(_ file: JournalFile) {
        let count = file.count
        let parts = max(Self.minParts, count / Self.distance)
        guard let first = Self.sample(0, of: file) else { return nil }
        var run = [first]
        var last = first
        var comparisons = 0
        for part in 1...parts {
            // Of a sparse file there may be so many that their product with the parts is none.
            let index = (count - 1) / parts * part + (count - 1) % parts * part / parts
            guard index > last.index else { continue }
            guard let next = Self.sample(index, of: file) else { return nil }
            // Depth first, so that the entries come in their order.
            var ends = [next]
            while let end = ends.last {
                if !isSteady(last, end), end.index > last.index + 1,
                    comparisons < Self.maxComparisons || end.entry.realtime < last.entry.realtime
                {
                    comparisons += 1
                    guard comparisons <= 2 * Self.maxComparisons,
                        let middle = Self.sample((last.index + end.index) / 2, of: file)
                    else { return nil }
                    ends.append(middle)
                    continue
                }
                if end.entry.realtime < last.entry.realtime, !isSteady(last, end) {
                    addRun(run)
                    run = []
                }
                run.append(end)
                last = end
                ends.removeLast()
            }
        }
        addRun(run)
    }

    private mutating func addRun(_ samples: [Sample]) {
        guard let start = samples.first, let last = samples.last else { return }
        runs.append(
            Run(
                entries: start.index..<last.index + 1,
                first: start.entry.realtime,
                last: last.entry.realtime,
                samples: samples
            )
        )
    }

    fileprivate static func sample(_ index: Int, of file: JournalFile) -> Sample? {
        guard let offset = file.distantOffset(at: index), let entry = file.distantEntry(at: offset) else { return nil }
        return Sample(index: index, entry: entry)
    }

    /// Whether both clocks went on at the same rate between two entries, as far as they show.
    private mutating func isSteady(_ one: Sample, _ other: Sample) -> Bool {
        guard one.entry.boot == other.entry.boot, other.entry.monotonic >= one.entry.monotonic else { return false }
        let passed = Int64(other.entry.monotonic - one.entry.monotonic)
        // Both are less than 2^55.
        let change = (Int64(other.entry.realtime) - Int64(one.entry.realtime) - passed).magnitude
        let tolerance = Self.minSlack + UInt64(passed) / Self.slewing
        guard change <= tolerance else { return false }
        slack = max(slack, tolerance)
        return true
    }

    /// Among which entries all those of the window are. `nil` where an entry on the way cannot be read.
    func entries(in window: TimeWindow, of file: JournalFile) -> Range<Int>? {
        let window = window.widened(by: slack)
        var found: Range<Int>?
        for run in runs where run.first <= window.last && run.last >= window.first {
            let lower =
                window.contains(run.first)
                ? run.entries.lowerBound : run.firstIndex(of: file) { $0 >= window.first }
            let upper =
                window.contains(run.last)
                ? run.entries.upperBound : run.firstIndex(of: file) { $0 > window.last }
            guard let lower, let upper else { return nil }
            guard lower < upper else { continue }
            found = min(lower, found?.lowerBound ?? lower)..<max(upper, found?.upperBound ?? upper)
        }
        return found ?? 0..<0
    }
}
