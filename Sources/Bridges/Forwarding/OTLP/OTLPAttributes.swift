/// Writes attributes: `KeyValue` messages with an `AnyValue`.
extension ProtobufWriter {
    private enum Kind {
        static let string: UInt8 = 1
        static let int: UInt8 = 3
        static let array: UInt8 = 5
        static let bytes: UInt8 = 7
    }

    /// A text, or bytes where it is not UTF-8: receivers refuse messages with other texts.
    mutating func write(value: UnsafeRawBufferPointer, field: UInt8) {
        begin(field, count: Self.size(ofFieldWith: value.count))
        let isText = value.allSatisfy { $0 < 0x80 } || String(validating: value, as: UTF8.self) != nil
        write(value, field: isText ? Kind.string : Kind.bytes)
    }

    mutating func write(attribute key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, field: UInt8) {
        begin(attribute: key, valueSize: Self.size(ofFieldWith: value.count), field)
        write(value: value, field: 2)
    }

    mutating func write(attribute key: UnsafeRawBufferPointer, values: [UnsafeRawBufferPointer], field: UInt8) {
        if values.count == 1 { return write(attribute: key, value: values[0], field: field) }
        var array = ProtobufWriter()
        for value in values { array.write(value: value, field: 1) }
        let size = Self.size(ofFieldWith: array.bytes.count)
        begin(attribute: key, valueSize: size, field)
        begin(2, count: size)
        write(array.bytes, field: Kind.array)
    }

    mutating func write(attribute key: StaticString, value: UnsafeRawBufferPointer, field: UInt8) {
        write(attribute: key.utf8, value: value, field: field)
    }

    mutating func write(attribute key: StaticString, number: Int64, field: UInt8) {
        let size = 1 + Self.size(ofVarint: UInt64(bitPattern: number))
        begin(attribute: key.utf8, valueSize: size, field)
        begin(2, count: size)
        write(number, field: Kind.int)
    }

    /// - Parameter valueSize: how many bytes the `AnyValue` takes that the caller writes next.
    private mutating func begin(attribute key: UnsafeRawBufferPointer, valueSize: Int, _ field: UInt8) {
        begin(field, count: Self.size(ofFieldWith: key.count) + Self.size(ofFieldWith: valueSize))
        write(key, field: 1)
    }
}

extension StaticString {
    var utf8: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
