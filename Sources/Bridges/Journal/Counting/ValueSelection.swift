/// Decides which entries of a file a query selects, once for all that have the same values of the fields that it reads.
final class ValueSelection {
    let names: [[UInt8]]
    private let query: JournalQuery
    private let gatherer: FieldGatherer
    private let window: TimeWindow

    /// `nil` where the query depends on more, see ``JournalQuery/isOfValues``, or the start on a single entry.
    init?(_ query: JournalQuery, from start: JournalStart) {
        guard query.isOfValues else { return nil }
        var window = query.window
        switch start {
        case .head: break
        case .time(let time): window.first = max(window.first, time)
        case .cursor, .tail: return nil
        }
        self.window = window
        self.query = query
        names = query.condition == nil ? [] : query.layout.names
        gatherer = FieldGatherer(query.layout)
    }

    /// Whether some entries of the file may be outside of the window.
    func isLimited(_ file: JournalFile) -> Bool {
        !window.contains(file.header.headRealtime) || !window.contains(file.header.tailRealtime)
    }

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
        let all = range.map { Int32(truncatingIfNeeded: $0) }
        guard let condition = query.condition else { return all }
        let combinations = ValueCombinations(of: all, columns)
        var isSelected: [Bool] = []
        for first in combinations.firsts {
            guard let view = read(all[first]) else { return nil }
            gatherer.take(from: view)
            let (times, cursor) = (view.header, view.cursor)
            isSelected.append(
                condition.holds(gatherer.record(cursor: cursor, realtime: times.realtime, monotonic: times.monotonic))
            )
        }
        return zip(all, combinations.numbers).filter { isSelected[Int($1)] }.map(\.0)
    }
}
