import Filter
import Glibc

/// Tests single values with a list of ``ValueTest``, one of which must hold.
///
/// It belongs to one thread.
final class ValueTesting {
    private let tests: [ValueTest]
    private let readings: UnsafeMutableBufferPointer<FieldReading>
    private let slots: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>
    /// The first bytes of each prefix as a number, for a comparison in one step.
    private let starts: UnsafeMutableBufferPointer<(word: UInt64, mask: UInt64)>

    init(_ tests: [ValueTest], _ layout: FieldLayout) {
        self.tests = tests
        readings = .allocate(capacity: layout.readings.count)
        _ = readings.initialize(from: layout.readings)
        slots = .allocate(capacity: layout.names.count)
        slots.initialize(repeating: nil)
        starts = .allocate(capacity: tests.count)
        _ = starts.initialize(
            from: tests.map { test in
                var word: UInt64 = 0
                for (index, byte) in test.prefix.prefix(8).enumerated() { word |= UInt64(byte) << UInt64(8 * index) }
                return (word, test.prefix.count >= 8 ? .max : 1 << UInt64(8 * test.prefix.count) - 1)
            }
        )
    }

    deinit {
        readings.deallocate()
        slots.deallocate()
        starts.deallocate()
    }

    /// Whether any of the tests is about a field whose `NAME=` begins with these bytes.
    @inline(__always)
    func isWanted(_ word: UInt64) -> Bool {
        for start in starts where (word ^ start.word) & start.mask == 0 { return true }
        return false
    }

    /// Whether `NAME=value` passes one of the tests.
    func holds(_ line: UnsafeRawBufferPointer) -> Bool {
        tests.contains { holds($0, line) }
    }

    private func holds(_ test: ValueTest, _ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count >= test.prefix.count, let start = line.baseAddress,
            test.prefix.withUnsafeBytes({ $0.baseAddress.map { memcmp(start, $0, test.prefix.count) == 0 } ?? false })
        else { return false }
        let value = UnsafeRawBufferPointer(rebasing: line[test.prefix.count...])
        if let contained = test.contained { return contained.isContained(in: value) }
        slots[test.slot] = value
        defer { slots[test.slot] = nil }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return test.holds(
            JournalRecord(
                readings: UnsafeBufferPointer(readings),
                slots: UnsafeBufferPointer(slots),
                further: UnsafeBufferPointer(start: nil, count: 0),
                furtherStarts: UnsafeBufferPointer(start: nil, count: 0),
                cursor: none,
                realtime: 0,
                monotonic: 0
            )
        )
    }
}
