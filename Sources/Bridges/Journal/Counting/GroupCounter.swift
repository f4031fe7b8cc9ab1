import Records

/// Counts entries by one grouping.
final class GroupCounter {
    /// When an entry was made and received, in microseconds since 1970.
    struct Times {
        let shown: Int64
        let received: Int64
    }

    /// Stands for a value that no other entry of its file has.
    static let unique = UInt64.max
    /// More groups are not held.
    private static let maxGroups = 1 << 15

    private let grouping: RecordGrouping
    /// Which of an entry's values it reads; `nil` where a group depends on more.
    let slots: [Int]?
    private let tuple: UnsafeMutableBufferPointer<UInt64>
    @exclusivity(unchecked) private var groups: ValueTuples

    /// The values of each group, and how many entries of the present span each has.
    @exclusivity(unchecked) private var values: [[String?]] = []
    private var numbers: [[String?]: Int] = [:]
    @exclusivity(unchecked) private var counts: [Int] = []
    /// The groups that have any, in the order of the first ones.
    @exclusivity(unchecked) private var present: [Int] = []
    @exclusivity(unchecked) private var span: Range<Int64>?
    /// Of the spans before.
    @exclusivity(unchecked) private var rows: [RecordCounts.Row] = []

    init(_ grouping: RecordGrouping, slots: [Int]?) {
        self.grouping = grouping
        self.slots = slots
        tuple = .allocate(capacity: slots?.count ?? 0)
        tuple.initialize(repeating: 0)
        groups = ValueTuples(width: slots?.count ?? 0)
    }

    deinit { tuple.deallocate() }

    var isFull: Bool { values.count >= Self.maxGroups || rows.count >= Self.maxGroups }

    var hasSpans: Bool { grouping.hasSpans }

    /// Whether groups depend on the values of single entries alone.
    var isOfValues: Bool { slots != nil }

    /// The number of the group to which an entry with these values belongs; `nil` where the values do not tell.
    @inline(__always)
    func find(_ all: UnsafeMutableBufferPointer<UInt64>) -> Int? {
        guard let slots else { return nil }
        if slots.isEmpty { return values.isEmpty ? nil : 0 }
        for index in slots.indices {
            let value = all[slots[index]]
            if value == Self.unique { return nil }
            tuple[index] = value
        }
        return groups.find(tuple)
    }

    /// - Parameter all: the values of the entry, where they are known.
    func add(_ record: Record, _ times: Times, _ all: UnsafeMutableBufferPointer<UInt64>?) {
        add(number(of: record, all), times)
    }

    /// The number of its group, which is found by the same values from now on.
    func number(of record: Record, _ all: UnsafeMutableBufferPointer<UInt64>?) -> Int {
        let number = number(of: grouping.values(of: record))
        if let slots, let all, !slots.isEmpty, !slots.contains(where: { all[$0] == Self.unique }) {
            for index in slots.indices { tuple[index] = all[slots[index]] }
            groups.add(tuple, number)
        }
        return number
    }

    @inline(__always)
    func add(_ group: Int, _ times: Times) {
        begin(at: grouping.usesReceipt ? times.received : times.shown)
        if counts[group] == 0 { present.append(group) }
        counts[group] += 1
    }

    /// Counts entries in the order of their times.
    ///
    /// - Parameters:
    ///   - numbers: the group of each combination.
    ///   - time: of the entry with an index.
    @inline(__always)
    func add(_ combinations: ValueCombinations, _ numbers: [Int], at time: (Int) -> Int64) {
        let count = combinations.numbers.count
        var index = 0
        while index < count {
            begin(at: time(index))
            let span = span
            let next =
                span.map { span in
                    BinarySearch.firstIndex(in: index + 1..<count) { time($0) >= span.upperBound } ?? count
                } ?? count
            if numbers.count == 1 {
                if counts[numbers[0]] == 0 { present.append(numbers[0]) }
                counts[numbers[0]] += next - index
            } else {
                for number in combinations.numbers[index..<next] {
                    let group = numbers[Int(number)]
                    if counts[group] == 0 { present.append(group) }
                    counts[group] += 1
                }
            }
            index = next
        }
    }

    /// Ends the present span where it does not have the time.
    @inline(__always)
    private func begin(at time: Int64) {
        guard grouping.hasSpans, span?.contains(time) != true else { return }
        endSpan()
        span = grouping.span(of: time)
    }

    private func endSpan() {
        let time = RecordTime(microseconds: span?.lowerBound ?? 0)
        for group in present {
            rows.append(
                RecordCounts.Row(key: RecordCounts.Key(time: time, values: values[group]), count: counts[group])
            )
            counts[group] = 0
        }
        present.removeAll(keepingCapacity: true)
    }

    private func number(of values: [String?]) -> Int {
        if let known = numbers[values] { return known }
        let number = self.values.count
        self.values.append(values)
        numbers[values] = number
        counts.append(0)
        return number
    }

    func move(to table: inout RecordCounts) {
        endSpan()
        for row in rows { table.add(row.count, of: row.key) }
        rows.removeAll(keepingCapacity: true)
        guard values.count >= Self.maxGroups else { return }
        values = []
        numbers = [:]
        counts = []
        groups.removeAll()
    }
}
