import Filter
import Glibc

/// Tests single values with a list of ``ValueTest``, one of which must hold.
///
/// It belongs to one thread, and looks at nothing that others look at: counting references to the same texts would cost
/// several threads more than their searching.
final class ValueTesting {
    private struct Test: BitwiseCopyable {
        /// The first bytes of the prefix as a number, for a comparison in one step.
        var word: UInt64
        var mask: UInt64
        /// `NAME=`
        var prefix: UnsafeRawBufferPointer
        /// The text, if the condition is that the value contains this text.
        var contained: UnsafeRawBufferPointer?

        /// Whether `NAME=value` begins with the prefix.
        @inline(__always)
        func isOfField(_ line: UnsafeRawBufferPointer) -> Bool {
            guard line.count >= max(prefix.count, 8) else { return line.starts(with: prefix) }
            guard (line.loadUnaligned(as: UInt64.self) ^ word) & mask == 0 else { return false }
            return prefix.count <= 8 || line.starts(with: prefix)
        }
    }

    private let tests: UnsafeMutableBufferPointer<Test>
    private let conditions: [(borrowing JournalRecord) -> Bool]
    private let valueSlots: [Int]
    private let readings: UnsafeMutableBufferPointer<FieldReading>
    private let slots: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>

    init(_ wanted: [ValueTest], _ layout: FieldLayout) {
        conditions = wanted.map { $0.makeCondition() }
        valueSlots = wanted.map(\.slot)
        readings = .allocate(capacity: layout.readings.count)
        _ = readings.initialize(from: layout.readings)
        slots = .allocate(capacity: layout.names.count)
        slots.initialize(repeating: nil)
        tests = .allocate(capacity: wanted.count)
        _ = tests.initialize(from: wanted.map(Self.test))
        isOfOneField = Set(wanted.map(\.prefix)).count == 1
    }

    private static func test(_ test: ValueTest) -> Test {
        var word: UInt64 = 0
        for (index, byte) in test.prefix.prefix(8).enumerated() { word |= UInt64(byte) << UInt64(8 * index) }
        return Test(
            word: word,
            mask: test.prefix.count >= 8 ? .max : 1 << UInt64(8 * test.prefix.count) - 1,
            prefix: copy(test.prefix),
            contained: test.contained.map { copy($0.bytes) }
        )
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        memory.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(memory)
    }

    deinit {
        for test in tests {
            test.prefix.deallocate()
            test.contained?.deallocate()
        }
        tests.deallocate()
        readings.deallocate()
        slots.deallocate()
    }

    /// Whether all tests are about the same field.
    let isOfOneField: Bool

    /// Whether the value is one of that field.
    func isOfField(_ line: UnsafeRawBufferPointer) -> Bool {
        tests.first?.isOfField(line) ?? false
    }

    /// Whether any of the tests is about a field whose `NAME=` begins with these bytes.
    @inline(__always)
    func isWanted(_ word: UInt64) -> Bool {
        for test in tests where (word ^ test.word) & test.mask == 0 { return true }
        return false
    }

    /// Whether `NAME=value` passes one of the tests.
    func holds(_ line: UnsafeRawBufferPointer) -> Bool {
        for index in tests.indices {
            let test = tests[index]
            guard test.isOfField(line) else { continue }
            let value = UnsafeRawBufferPointer(rebasing: line[test.prefix.count...])
            if let contained = test.contained {
                if SoughtText.isContained(contained, in: value) { return true }
            } else if evaluate(index, value) {
                return true
            }
        }
        return false
    }

    private func evaluate(_ index: Int, _ value: UnsafeRawBufferPointer) -> Bool {
        slots[valueSlots[index]] = value
        defer { slots[valueSlots[index]] = nil }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return conditions[index](
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
