/// Names and values of fields, their bytes one behind the other.
package final class FieldStorage: Sendable {
    struct Slot: Sendable {
        let name: Range<Int>
        let value: Kept
    }

    enum Kept: Sendable {
        case null
        case bool(Bool)
        case int(Int64)
        case uint(UInt64)
        case double(Double)
        case time(Int64)
        case duration(Int64)
        case text(Range<Int>)
        case bytes(Range<Int>)
        case json(Range<Int>)
    }

    /// Fields being gathered.
    package struct Builder {
        fileprivate(set) var bytes: [UInt8] = []
        fileprivate(set) var slots: [Slot] = []
        fileprivate(set) var message: Range<Int>?

        package init() {}

        package mutating func setMessage(_ text: some Collection<UInt8>) { message = add(text) }

        package mutating func append(_ name: some Collection<UInt8>, _ value: RecordFields.Value) {
            let name = add(name)
            let kept: Kept =
                switch value {
                case .null: .null
                case .bool(let value): .bool(value)
                case .int(let value): .int(value)
                case .uint(let value): .uint(value)
                case .double(let value): .double(value)
                case .text(let text): .text(add(text.utf8))
                case .bytes(let bytes): .bytes(add(bytes))
                case .time(let microseconds): .time(microseconds)
                case .duration(let duration): .duration(Self.nanoseconds(duration))
                case .json(let text): .json(add(text))
                }
            slots.append(Slot(name: name, value: kept))
        }

        /// The same for text whose bytes are at hand.
        package mutating func append(_ name: some Collection<UInt8>, text: some Collection<UInt8>) {
            let name = add(name)
            slots.append(Slot(name: name, value: .text(add(text))))
        }

        /// The same once more for the types that nearly all have, which the compiler then knows.
        package mutating func append(_ name: [UInt8], text: String.UTF8View) {
            let name = add(name)
            slots.append(Slot(name: name, value: .text(add(text))))
        }

        /// The range of the bytes in the whole.
        private mutating func add(_ more: some Collection<UInt8>) -> Range<Int> {
            let start = bytes.count
            bytes.append(contentsOf: more)
            return start..<bytes.count
        }

        private static func nanoseconds(_ duration: Duration) -> Int64 {
            let (seconds, attoseconds) = duration.components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
            return overflow || carry ? (seconds < 0 ? .min : .max) : sum
        }
    }

    private let bytes: [UInt8]
    private let slots: [Slot]
    private let message: Range<Int>?
    let severity: Severity?

    init(_ builder: Builder, _ severity: Severity?) {
        bytes = builder.bytes
        slots = builder.slots
        message = builder.message
        self.severity = severity
    }

    var footprint: Int { bytes.count + slots.count * MemoryLayout<Slot>.stride }

    func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        bytes.withUnsafeBytes { bytes in body(message.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }) }
    }

    func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        bytes.withUnsafeBytes { bytes in
            func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
            return withUnsafeTemporaryAllocation(of: RecordField.self, capacity: slots.count) { fields in
                for (index, slot) in slots.enumerated() {
                    let value: RecordValue =
                        switch slot.value {
                        case .null: .null
                        case .bool(let value): .bool(value)
                        case .int(let value): .int(value)
                        case .uint(let value): .uint(value)
                        case .double(let value): .double(value)
                        case .time(let value): .time(microseconds: value)
                        case .duration(let value): .duration(nanoseconds: value)
                        case .text(let range): .text(part(range))
                        case .bytes(let range): .bytes(part(range))
                        case .json(let range): .json(part(range))
                        }
                    fields.initializeElement(at: index, to: RecordField(name: part(slot.name), value: value))
                }
                return body(UnsafeBufferPointer(rebasing: fields[..<slots.count]))
            }
        }
    }
}
