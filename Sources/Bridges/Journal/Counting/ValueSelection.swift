import Records

/// Decides which entries of a file a query selects, once for all that have the same values of the fields that it reads.
final class ValueSelection {
    let names: [[UInt8]]
    private let query: JournalQuery
    private let gatherer: FieldGatherer
    private let window: TimeWindow
    // Kept for the next file, so that their memory is used again.
    private var combinations = ValueCombinations()
    private var selected: [Int32] = []

    /// `nil` where the query depends on more, see ``JournalQuery/isOfValues``, or the start on a single entry.
    init?(_ query: JournalQuery, from start: JournalStart) {
        guard query.isOfValues else { return nil }
        var window = query.window
        switch start {
        case .head: break
        case .time(let time): window.first = max(window.first, UInt64(clamping: time.microseconds))
        case .cursor, .tail: return nil
        }
        self.window = window
        self.query = query
        names = query.condition == nil ? [] : query.layout.names
        gatherer = FieldGatherer(query.layout)
    }

    /// Whether some entries may be outside of the window. The times at a file's ends do not tell: between them the clock may have
    /// been set back.
    var isLimited: Bool { window.isLimited }

    /// The entries within the window.
    func range(in times: [UInt64]) -> Range<Int> {
        let first = BinarySearch.firstIndex(below: times.count) { times[$0] >= window.first }
        let end = BinarySearch.firstIndex(below: times.count) { times[$0] > window.last }
        return first..<max(first, end)
    }

    /// The numbers of the selected entries among those of the range, in order. `nil` where an entry cannot be read.
    ///
    /// - Parameters:
    ///   - columns: of ``names``.
    ///   - read: reads the entry of a number.
    func ordinals(in range: Range<Int>, _ columns: [ValueColumn], reading read: (Int32) -> EntryView?) -> [Int32]? {
        selected.removeAll(keepingCapacity: true)
        selected.append(contentsOf: range.lazy.map { Int32(truncatingIfNeeded: $0) })
        guard let condition = query.condition else { return selected }
        combinations.find(among: selected, columns)
        var isSelected: [Bool] = []
        for first in combinations.firsts {
            guard let view = read(selected[first]) else { return nil }
            gatherer.take(from: view)
            let (times, cursor) = (view.header, view.cursor)
            isSelected.append(
                condition.holds(gatherer.record(cursor: cursor, realtime: times.realtime, monotonic: times.monotonic))
            )
        }
        var count = 0
        for (index, number) in combinations.numbers.enumerated() where isSelected[Int(number)] {
            selected[count] = selected[index]
            count += 1
        }
        selected.removeLast(selected.count - count)
        return selected
    }
}
