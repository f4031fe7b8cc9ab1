import Glibc

/// Collects from one entry the fields that a filter reads, and lends them to the filter as a ``JournalRecord``.
///
/// It belongs to one reader and is touched by one thread.
final class FieldGatherer {
    let layout: FieldLayout
    private let readings: UnsafeMutableBufferPointer<FieldReading>
    private let slots: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>
    /// The place of each slot's value in `copies`, until the entry is complete: `copies` may move while it grows.
    private let offsets: UnsafeMutableBufferPointer<Range<Int>>
    /// Values beyond the first, of fields whose values are all needed: first their places in `copies`, then their
    /// addresses.
    private var furtherOffsets: [(slot: Int, range: Range<Int>)] = []
    private var further: UnsafeMutableBufferPointer<JournalRecord.FurtherValue>
    private var furtherCount = 0
    /// The index in `further` of each slot's first further value, if it has any.
    private let furtherStarts: UnsafeMutableBufferPointer<Int>
    private let isRepeated: [Bool]
    private var copies: UnsafeMutableRawPointer
    private var capacity = 4096
    private var used = 0
    private var missing = 0

    /// Each slot's name and `=`, one after the other; read for every field of every entry.
    private let prefixes: UnsafeMutableBufferPointer<UInt8>
    private let prefixRanges: [Range<Int>]

    init(_ layout: FieldLayout) {
        self.layout = layout
        readings = .allocate(capacity: layout.readings.count)
        _ = readings.initialize(from: layout.readings)
        slots = .allocate(capacity: layout.names.count)
        slots.initialize(repeating: nil)
        offsets = .allocate(capacity: layout.names.count)
        offsets.initialize(repeating: 0..<0)
        further = .allocate(capacity: 16)
        furtherStarts = .allocate(capacity: layout.names.count)
        furtherStarts.initialize(repeating: 0)
        isRepeated = layout.isRepeated
        hasRepeated = layout.isRepeated.contains(true)
        copies = .allocate(byteCount: capacity, alignment: 16)
        var ranges: [Range<Int>] = []
        var joined: [UInt8] = []
        for name in layout.names {
            ranges.append(joined.count..<joined.count + name.count + 1)
            joined += name
            joined.append(UInt8(ascii: "="))
        }
        prefixes = .allocate(capacity: joined.count)
        _ = prefixes.initialize(from: joined)
        prefixRanges = ranges
    }

    deinit {
        readings.deallocate()
        slots.deallocate()
        offsets.deallocate()
        prefixes.deallocate()
        further.deallocate()
        furtherStarts.deallocate()
        copies.deallocate()
    }

    /// How many different journal fields are wanted.
    var count: Int { slots.count }

    /// Whether any field is wanted with all of its values, so that the whole entry must be looked at.
    let hasRepeated: Bool

    func begin() {
        used = 0
        missing = slots.count
        if hasRepeated {
            furtherOffsets.removeAll(keepingCapacity: true)
            furtherCount = 0
        }
        for index in slots.indices { slots[index] = nil }
    }

    /// Whether every wanted field was found.
    var isComplete: Bool { missing == 0 && !hasRepeated }

    /// Looks at a field, `NAME=value`. A value that many entries share is remembered together with its meaning for
    /// this filter, and stays in place; any other is copied if it is needed.
    @inline(__always)
    func offer(_ line: UnsafeRawBufferPointer, _ shared: UnsafeMutablePointer<SharedValues.Value>?) {
        guard let shared else { return offer(line) }
        if shared.pointee.slot == 0 { shared.pointee.slot = Int32(truncatingIfNeeded: (slot(of: line) ?? -2) + 1) }
        let slot = Int(shared.pointee.slot) - 1
        guard slot >= 0 else { return }
        let value = UnsafeRawBufferPointer(rebasing: line[prefixRanges[slot].count...])
        if slots[slot] == nil {
            slots[slot] = value
            offsets[slot] = Self.inPlace
            missing -= 1
        } else if isRepeated[slot] {
            keep(value, slot)
        }
    }

    private func slot(of line: UnsafeRawBufferPointer) -> Int? {
        guard let start = line.baseAddress, let names = prefixes.baseAddress else { return nil }
        return slots.indices.first { slot in
            let range = prefixRanges[slot]
            return line.count >= range.count && memcmp(start, names + range.lowerBound, range.count) == 0
        }
    }

    /// Stands for a value that was not copied.
    private static let inPlace = -1..<(-1)

    /// Looks at a field, `NAME=value`, whose bytes will not last, and copies its value if it is needed and the first
    /// of its name.
    @inline(__always)
    func offer(_ line: UnsafeRawBufferPointer) {
        guard let start = line.baseAddress, let names = prefixes.baseAddress else { return }
        for slot in 0..<slots.count {
            let range = prefixRanges[slot]
            // Few fields have a name of the same length, and no name holds an equals sign.
            guard line.count >= range.count, line[range.count - 1] == UInt8(ascii: "="),
                slots[slot] == nil || isRepeated[slot],
                memcmp(start, names + range.lowerBound, range.count) == 0
            else {
                continue
            }
            keep(UnsafeRawBufferPointer(rebasing: line[range.count...]), slot)
            return
        }
    }

    /// After the last ``offer(_:)``: the values have come to rest.
    func settle() {
        for slot in slots.indices where slots[slot] != nil && offsets[slot] != Self.inPlace {
            slots[slot] = UnsafeRawBufferPointer(start: copies + offsets[slot].lowerBound, count: offsets[slot].count)
        }
        guard hasRepeated else { return }
        if furtherOffsets.count > 1 {
            furtherOffsets.sort { ($0.slot, $0.range.lowerBound) < ($1.slot, $1.range.lowerBound) }
        }
        for (slot, range) in furtherOffsets {
            addFurther(UnsafeRawBufferPointer(start: copies + range.lowerBound, count: range.count), slot)
        }
    }

    /// To be called for all values of one slot before those of another.
    private func addFurther(_ value: UnsafeRawBufferPointer, _ slot: Int) {
        if furtherCount == further.count {
            let larger = UnsafeMutableBufferPointer<JournalRecord.FurtherValue>.allocate(capacity: 2 * further.count)
            _ = larger.initialize(from: further)
            further.deallocate()
            further = larger
        }
        if furtherCount == 0 || further[furtherCount - 1].slot != slot { furtherStarts[slot] = furtherCount }
        further.initializeElement(at: furtherCount, to: JournalRecord.FurtherValue(slot: slot, value: value))
        furtherCount += 1
    }

    /// Takes all values from an entry in memory, whose bytes do not move.
    func take(from view: EntryView) {
        begin()
        for slot in slots.indices {
            let range = prefixRanges[slot]
            let name = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(prefixes)[range.lowerBound..<range.upperBound - 1]
            )
            slots[slot] = view.value(named: name)
            guard isRepeated[slot] else { continue }
            for other in view.slots.lazy.filter({ view.hasName($0, name) }).dropFirst() {
                addFurther(view.value(of: other), slot)
            }
        }
    }

    @inline(__always)
    func record(cursor: UnsafeRawBufferPointer, realtime: UInt64, monotonic: UInt64) -> JournalRecord {
        JournalRecord(
            readings: UnsafeBufferPointer(readings),
            slots: UnsafeBufferPointer(slots),
            further: UnsafeBufferPointer(rebasing: further[..<furtherCount]),
            furtherStarts: UnsafeBufferPointer(furtherStarts),
            cursor: cursor,
            realtime: realtime,
            monotonic: monotonic
        )
    }

    private func keep(_ value: UnsafeRawBufferPointer, _ slot: Int) {
        if capacity - used < value.count {
            capacity = max(capacity * 2, used + value.count)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            memcpy(larger, copies, used)
            copies.deallocate()
            copies = larger
        }
        if let base = value.baseAddress { memcpy(copies + used, base, value.count) }
        if slots[slot] != nil {
            furtherOffsets.append((slot, used..<used + value.count))
            used += value.count
            return
        }
        offsets[slot] = used..<used + value.count
        slots[slot] = UnsafeRawBufferPointer(start: copies, count: 0)
        used += value.count
        missing -= 1
    }
}
