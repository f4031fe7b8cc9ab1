import Glibc

/// Collects from one entry the fields that a filter reads, and lends them to the filter as a ``JournalRecord``.
///
/// It belongs to one reader and is touched by one thread.
final class FieldGatherer {
    let layout: FieldLayout
    private let readings: UnsafeMutableBufferPointer<FieldReading>
    private let slots: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>
    /// Where each slot's value lies in `copies`, until the entry is complete: `copies` may move while it grows.
    private let offsets: UnsafeMutableBufferPointer<Range<Int>>
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
        copies.deallocate()
    }

    /// How many different journal fields are wanted.
    var count: Int { slots.count }

    /// The name of the only field wanted, as C text.
    lazy var onlyName: [CChar] = layout.names.first.map { $0.map { CChar(bitPattern: $0) } + [0] } ?? [0]

    func begin() {
        used = 0
        missing = slots.count
        for index in slots.indices { slots[index] = nil }
    }

    /// Whether every wanted field was found.
    var isComplete: Bool { missing == 0 }

    /// Takes a value that stays where it is until the filter has seen it.
    func set(_ slot: Int, to value: UnsafeRawBufferPointer) {
        slots[slot] = value
    }

    /// Looks at a field, `NAME=value`, whose bytes will not last, and copies its value if it is wanted and the first of
    /// its name.
    @inline(__always)
    func offer(_ line: UnsafeRawBufferPointer) {
        guard let start = line.baseAddress, let names = prefixes.baseAddress else { return }
        for slot in 0..<slots.count {
            let range = prefixRanges[slot]
            guard line.count >= range.count, slots[slot] == nil,
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
        for slot in slots.indices where slots[slot] != nil {
            slots[slot] = UnsafeRawBufferPointer(start: copies + offsets[slot].lowerBound, count: offsets[slot].count)
        }
    }

    /// Takes everything from an entry at hand, whose bytes stay where they are.
    func take(from view: EntryView) {
        begin()
        for slot in slots.indices {
            let range = prefixRanges[slot]
            let name = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(prefixes)[range.lowerBound..<range.upperBound - 1]
            )
            slots[slot] = view.value(named: name)
        }
    }

    @inline(__always)
    func record(cursor: UnsafeRawBufferPointer, realtime: UInt64, monotonic: UInt64) -> JournalRecord {
        JournalRecord(
            readings: UnsafeBufferPointer(readings),
            slots: UnsafeBufferPointer(slots),
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
        offsets[slot] = used..<used + value.count
        slots[slot] = UnsafeRawBufferPointer(start: copies, count: 0)
        used += value.count
        missing -= 1
    }
}
