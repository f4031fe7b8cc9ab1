/// Writes the fields of one protobuf message, as the [encoding](https://protobuf.dev/programming-guides/encoding/) defines them.
struct ProtobufWriter: Sendable {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// A field of type `fixed64`.
    mutating func write(fixed value: UInt64, field: UInt8) {
        bytes.append(field << 3 | 1)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Puts another value in the place of the `fixed64` whose field begins at an offset.
    mutating func replace(fixedAt offset: Int, with value: UInt64) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: value.littleEndian, toByteOffset: offset + 1, as: UInt64.self)
        }
    }

    /// Forgets what was written, and keeps the memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// A field of type `int64` or of an enumeration.
    mutating func write(_ value: Int64, field: UInt8) {
        bytes.append(field << 3)
        writeVarint(UInt64(bitPattern: value))
    }

    /// A field that is a text, bytes, or a message.
    mutating func write(_ value: UnsafeRawBufferPointer, field: UInt8) {
        begin(field, count: value.count)
        bytes.append(contentsOf: value)
    }

    mutating func write(_ value: borrowing [UInt8], field: UInt8) {
        value.withUnsafeBytes { write($0, field: field) }
    }

    /// The head of a field of so many bytes, which the caller writes next.
    mutating func begin(_ field: UInt8, count: Int) {
        bytes.append(field << 3 | 2)
        writeVarint(UInt64(count))
    }

    /// Fields that are encoded already.
    mutating func write(encoded fields: UnsafeRawBufferPointer) { bytes.append(contentsOf: fields) }

    private mutating func writeVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// How many bytes a field of so many bytes takes together with its head.
    static func size(ofFieldWith count: Int) -> Int { 1 + size(ofVarint: UInt64(count)) + count }

    static func size(ofVarint value: UInt64) -> Int { max(1, (70 - value.leadingZeroBitCount) / 7) }
}
