import Records

/// Counts the entries of one reader.
///
/// A group is looked up by the places of an entry's values. Only for values that come together for the first time the entry is made into
/// a record.
final class EntryCounter {
    private let grouping: RecordGrouping
    private let source: String
    private let shift: Int64
    /// The fields that are read, each as `NAME=`. The last is that of the time, if there are spans.
    private let prefixes: [[UInt8]]
    private let timeSlot: Int?
    /// The values of the current entry, by their places; see ``ValueTuples``.
    private let tuple: UnsafeMutableBufferPointer<UInt64>
    // One thread at a time has the counter; hence no exclusivity checks of properties that are touched for every entry.
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

    /// More groups are not held.
    private static let maxGroups = 1 << 15
    /// Stands for a value that no other entry of its file has.
    private static let unique = UInt64.max

    /// The fields that a grouping reads; `nil` where it depends on more.
    static func names(for grouping: RecordGrouping) -> [[UInt8]]? {
        var names: [[UInt8]] = []
        for path in grouping.fields {
            guard let more = JournalContent.names(for: path) else { return nil }
            names += more.filter { !names.contains($0) }
        }
        return names
    }

    init(_ grouping: RecordGrouping, reading names: [[UInt8]], of source: String, shift: Int64) {
        self.grouping = grouping
        self.source = source
        self.shift = shift
        timeSlot = grouping.span == nil ? nil : names.count
        prefixes = (names + (grouping.span == nil ? [] : [Array(EntryTime.source.utf8)])).map {
            $0 + [UInt8(ascii: "=")]
        }
        tuple = .allocate(capacity: names.count)
        tuple.initialize(repeating: 0)
        groups = ValueTuples(width: names.count)
    }

    deinit { tuple.deallocate() }

    /// Whether the counts are to be taken, so that little is held.
    var isFull: Bool { values.count >= Self.maxGroups || rows.count >= Self.maxGroups }

    /// Counts the current entry. False if it is gone.
    @inline(__always)
    func count(_ reader: JournalReader) -> Bool {
        if prefixes.isEmpty, values.count == 1 {
            add(0, 0)
            return true
        }
        return countByValues(reader)
    }

    private func countByValues(_ reader: JournalReader) -> Bool {
        guard let entry = reader.fileEntry else { return false }
        let shared = entry.values
        var missing = prefixes.count
        var isUnique = false
        var time = UInt64?.none
        tuple.update(repeating: 0)
        let isWhole =
            missing == 0
            || reader.forEachField(of: entry) { line, value in
                let slot: Int
                if let value {
                    let rendering = shared.rendering(of: value)
                    // Which slot a value belongs to is noted with it.
                    if rendering.pointee.hash == 0 {
                        rendering.pointee.hash = UInt64(self.slot(of: line).map { $0 + 2 } ?? 1)
                    }
                    slot = Int(truncatingIfNeeded: rendering.pointee.hash) &- 2
                } else {
                    slot = self.slot(of: line) ?? -1
                }
                if slot < 0 { return true }
                if slot == timeSlot {
                    guard time == nil else { return true }
                    let value = UnsafeRawBufferPointer(rebasing: line[prefixes[slot].count...])
                    time = EntryTime.of(source: value, received: entry.key.entry.realtime)
                } else {
                    guard tuple[slot] == 0 else { return true }
                    tuple[slot] = value?.pointee.key ?? Self.unique
                    if value == nil { isUnique = true }
                }
                missing -= 1
                return missing > 0
            }
        guard isWhole else { return false }
        if !isUnique, let group = groups.find(tuple) {
            add(group, time ?? entry.key.entry.realtime)
            return true
        }
        guard let whole = reader.entry() else { return false }
        let group = self.group(of: whole)
        if !isUnique { groups.add(tuple, group) }
        add(group, time ?? entry.key.entry.realtime)
        return true
    }

    func count(_ entry: JournalEntry) { add(group(of: entry), entry.time) }

    private func slot(of line: UnsafeRawBufferPointer) -> Int? { prefixes.firstIndex { line.starts(with: $0) } }

    @inline(__always)
    private func add(_ group: Int, _ time: UInt64) {
        if let length = grouping.span {
            let time = Int64(clamping: time) &+ shift
            if span?.contains(time) != true {
                endSpan()
                let begin = grouping.begin(of: time)
                let (end, isBeyond) = begin.addingReportingOverflow(length)
                span = begin..<(isBeyond ? .max : end)
            }
        }
        if counts[group] == 0 { present.append(group) }
        counts[group] += 1
    }

    private func endSpan() {
        let time = span?.lowerBound ?? 0
        for group in present {
            rows.append(
                RecordCounts.Row(key: RecordCounts.Key(time: time, values: values[group]), count: counts[group])
            )
            counts[group] = 0
        }
        present.removeAll(keepingCapacity: true)
    }

    /// The number of the entry's group.
    private func group(of entry: JournalEntry) -> Int {
        let record = Record(
            source: source,
            time: Int64(clamping: entry.time),
            monotonic: entry.monotonic,
            sequence: 0,
            content: JournalContent(entry)
        )
        let values = grouping.values(of: record)
        if let known = numbers[values] { return known }
        let number = self.values.count
        self.values.append(values)
        numbers[values] = number
        counts.append(0)
        return number
    }

    /// The counts since this was called last, in the order of the entries.
    func take() -> [RecordCounts.Row] {
        endSpan()
        defer { rows.removeAll(keepingCapacity: true) }
        guard values.count >= Self.maxGroups else { return rows }
        values = []
        numbers = [:]
        counts = []
        groups.removeAll()
        return rows
    }
}

extension JournalContent {
    /// The fields from which the value at a path is made, in a record of a journal; `nil` where it is made from more.
    fileprivate static func names(for path: FieldPath) -> [[UInt8]]? {
        switch CommonField(rawValue: path.text) {
        case .severity, .priority: [Array("PRIORITY".utf8)]
        case .message: [Array("MESSAGE".utf8)]
        case .speaker: ["SYSLOG_IDENTIFIER", "_COMM", "_PID", "SYSLOG_PID"].map { Array($0.utf8) }
        // The same for all entries.
        case .source, .late, .gap: []
        case .time, .sequence: nil
        case nil: path.names
        }
    }
}
