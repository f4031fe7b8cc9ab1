import Records

/// Counts the entries of one reader, by several groupings at once.
///
/// A group is looked up by the places of an entry's values. Only for values that come together for the first time the entry is made into
/// a record.
final class EntryCounter {
    private let source: String
    private let shift: Int64
    private let names: [[UInt8]]
    private let scratch = EntryScratch()
    /// The fields that are read, each as `NAME=`; that of the time among them, if there are spans.
    private let prefixes: [[UInt8]]
    private let timeSlot: Int?
    /// More entries of a file are not selected by their values, which takes memory for each; a sparse file may have any number.
    private static let maxSelected = 1 << 24

    /// The values of the current entry, by their places; see ``ValueTuples``.
    private let tuple: UnsafeMutableBufferPointer<UInt64>
    private let groups: [GroupCounter]
    /// Of each grouping, kept for the next file, so that their memory is used again.
    private var combinations: [ValueCombinations]
    // One thread at a time has the counter; hence no exclusivity checks of properties that are touched for every entry.
    /// How many entries were counted.
    @exclusivity(unchecked) private(set) var count = 0

    init(_ groupings: [RecordGrouping], of source: String, shift: Int64) {
        self.source = source
        self.shift = shift
        var names: [[UInt8]] = []
        groups = groupings.map { grouping in
            let own = Self.names(for: grouping)
            for name in own ?? [] where !names.contains(name) { names.append(name) }
            return GroupCounter(grouping, slots: own.map { own in own.compactMap { names.firstIndex(of: $0) } })
        }
        combinations = groupings.map { _ in ValueCombinations() }
        let readsTime = groupings.contains { $0.hasSpans && !$0.usesReceipt }
        let source = Array(EntryTime.source.utf8)
        // Groups may read it, too.
        timeSlot = readsTime ? names.firstIndex(of: source) ?? names.count : nil
        prefixes = (names + (timeSlot == names.count ? [source] : [])).map { $0 + [UInt8(ascii: "=")] }
        self.names = names
        tuple = .allocate(capacity: names.count)
        tuple.initialize(repeating: 0)
    }

    deinit { tuple.deallocate() }

    /// The fields that a grouping reads; `nil` where it depends on more.
    private static func names(for grouping: RecordGrouping) -> [[UInt8]]? {
        var names: [[UInt8]] = []
        for path in grouping.fields {
            guard let more = JournalContent.names(for: path) else { return nil }
            names += more.filter { !names.contains($0) }
        }
        return names
    }

    /// Whether the counts are to be taken, so that little is held.
    var isFull: Bool { groups.contains { $0.isFull } }

    /// Counts the current entry. False if it is gone.
    @inline(__always)
    func count(_ reader: JournalReader) -> Bool {
        guard let entry = reader.fileEntry else { return false }
        var missing = prefixes.count
        var time = UInt64?.none
        guard missing == 0 || read(entry, in: reader, &missing, &time) else { return false }
        let received = entry.key.entry.realtime
        let times = self.times(shown: time ?? received, received: received)
        var record: Record?
        for group in groups {
            if let number = group.find(tuple) {
                group.add(number, times)
                continue
            }
            if record == nil {
                guard let whole = reader.entry() else { return false }
                record = self.record(of: whole)
            }
            if let record { group.add(record, times, tuple) }
        }
        count += 1
        return true
    }

    func count(_ entry: JournalEntry) {
        let record = record(of: entry)
        let received = entry.storage.header.realtime
        let times = times(shown: UInt64(clamping: entry.time.microseconds), received: received)
        for group in groups { group.add(record, times, nil) }
        count += 1
    }

    /// Counts the entries of a file that a query selects by the lists of its values. False, and nothing is counted, where these cannot
    /// tell.
    ///
    /// - Parameters:
    ///   - readsTimes: whether the entries' order must be proved.
    ///   - kept: has columns of earlier questions, and keeps those of this one.
    func count(_ file: JournalFile, _ selection: ValueSelection, readsTimes: Bool, _ kept: KeptColumns?) -> Bool {
        guard file.count <= Self.maxSelected, groups.allSatisfy(\.isOfValues), timeSlot == nil || !hasTimes(file) else {
            return false
        }
        let needed = names + selection.names.filter { !names.contains($0) }
        let known = kept?[file]
        guard known != nil || ValueColumns.areFew(needed, in: file) else { return false }
        var values = known ?? ValueColumns(file)
        let isTimed = readsTimes || groups.contains { $0.hasSpans } || selection.isLimited
        let times = isTimed ? values.times(in: file) : nil
        let columns = values.columns(of: names, in: file)
        let others = values.columns(of: selection.names, in: file)
        kept?.keep(values.only(needed), of: file)
        guard !isTimed || times != nil, let columns, let others else { return false }
        let range = times.map { selection.range(in: $0) } ?? 0..<file.count
        guard let ordinals = selection.ordinals(in: range, others, reading: { self.view(at: $0, of: file) }) else {
            return false
        }
        // Nothing is counted before everything could be read.
        var numbers: [[Int]] = []
        for (index, group) in groups.enumerated() {
            combinations[index].find(among: ordinals, group.slots?.map { columns[$0] } ?? [])
            guard let found = self.numbers(of: combinations[index], ordinals, group, in: file) else { return false }
            numbers.append(found)
        }
        for (number, group) in groups.enumerated() {
            group.add(combinations[number], numbers[number]) { index in
                self.times(shown: 0, received: times?[Int(ordinals[index])] ?? 0).received
            }
        }
        count += ordinals.count
        return true
    }

    /// The number of the group of each combination; `nil` where an entry cannot be read.
    private func numbers(
        of combinations: ValueCombinations,
        _ ordinals: [Int32],
        _ group: GroupCounter,
        in file: JournalFile
    ) -> [Int]? {
        var numbers: [Int] = []
        for first in combinations.firsts {
            guard let view = view(at: ordinals[first], of: file) else { return nil }
            numbers.append(group.number(of: record(of: JournalEntry(copying: view)), nil))
        }
        return numbers
    }

    /// Whether entries of a file may have been made at other times than they were received.
    private func hasTimes(_ file: JournalFile) -> Bool {
        EntryTime.source.utf8.withContiguousStorageIfAvailable {
            file.has(field: UnsafeRawBufferPointer($0)) ?? true
        } ?? true
    }

    /// `nil` where not all of the entry can be read.
    private func view(at ordinal: Int32, of file: JournalFile) -> EntryView? {
        guard let offset = file.offset(at: Int(ordinal)), let entry = file.entry(at: offset, .spot) else { return nil }
        let key = EntryKey(sequenceID: file.header.sequenceID, entry: entry)
        let whole = FileEntry(file: Unmanaged.passUnretained(file), key: key, access: .spot)
        return whole.read(into: scratch) == 0 ? scratch.view : nil
    }

    @inline(__always)
    private func times(shown: UInt64, received: UInt64) -> GroupCounter.Times {
        func shifted(_ time: UInt64) -> Int64 {
            RecordTime(microseconds: Int64(clamping: time)).shifted(by: shift).microseconds
        }
        return GroupCounter.Times(shown: shifted(shown), received: shifted(received))
    }

    /// Gathers the values of the current entry, and its time where that is needed. False if the entry is gone.
    @inline(__always)
    private func read(_ entry: FileEntry, in reader: JournalReader, _ missing: inout Int, _ time: inout UInt64?) -> Bool
    {
        let shared = entry.values
        tuple.update(repeating: 0)
        return reader.forEachField(of: entry) { line, value in
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
            guard slot < tuple.count ? tuple[slot] == 0 : time == nil else { return true }
            if slot == timeSlot {
                let value = UnsafeRawBufferPointer(rebasing: line[prefixes[slot].count...])
                time = EntryTime.of(source: value, received: entry.key.entry.realtime)
            }
            if slot < tuple.count { tuple[slot] = value?.pointee.key ?? GroupCounter.unique }
            missing -= 1
            return missing > 0
        }
    }

    private func slot(of line: UnsafeRawBufferPointer) -> Int? { prefixes.firstIndex { line.starts(with: $0) } }

    private func record(of entry: JournalEntry) -> Record {
        Record(
            source: source,
            time: RecordTime(microseconds: entry.time.microseconds).shifted(by: shift),
            monotonic: entry.monotonic,
            sequence: UInt64(count) + 1,
            content: JournalContent(entry)
        )
    }

    /// Adds the counts since this was called last, in the order of the groupings.
    func move(to counts: inout [RecordCounts]) {
        for (index, group) in groups.enumerated() { group.move(to: &counts[index]) }
    }
}

extension JournalContent {
    /// The fields from which the value at a path is made, in a record of a journal; `nil` where it is made from more.
    fileprivate static func names(for path: FieldPath) -> [[UInt8]]? {
        switch CommonField(rawValue: path.text) {
        case .severity, .priority: [Array("PRIORITY".utf8)]
        case .message: [Array("MESSAGE".utf8)]
        case .pattern: [Array("MESSAGE".utf8)] + path.names
        case .speaker: ["SYSLOG_IDENTIFIER", "_COMM", "_PID", "SYSLOG_PID"].map { Array($0.utf8) }
        // The same for all entries.
        case .source, .late, .gap: []
        case .time, .sequence: nil
        case nil: path.names
        }
    }
}
