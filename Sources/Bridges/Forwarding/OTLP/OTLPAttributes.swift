import Records

/// Writes attributes: `KeyValue` messages with an `AnyValue`.
extension ProtobufWriter {
    private enum Kind {
        static let string: UInt8 = 1
        static let bool: UInt8 = 2
        static let int: UInt8 = 3
        static let double: UInt8 = 4
        static let array: UInt8 = 5
        static let bytes: UInt8 = 7
    }

    /// A text, or bytes where it is not UTF-8: receivers refuse messages with other texts.
    mutating func write(value: UnsafeRawBufferPointer, field: UInt8) {
        begin(field, count: Self.size(ofFieldWith: value.count))
        let isText = Self.isASCII(value) || String(validating: value, as: UTF8.self) != nil
        write(value, field: isText ? Kind.string : Kind.bytes)
    }

    /// Most texts are. Eight bytes at a time.
    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (all, place) = (UInt64(0), 0)
        while place + 8 <= bytes.count {
            all |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < bytes.count {
            all |= UInt64(bytes[place])
            place += 1
        }
        return all & 0x8080_8080_8080_8080 == 0
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
        write(attribute: key.utf8, number: number, field: field)
    }

    private mutating func write(
        attribute key: UnsafeRawBufferPointer,
        number: Int64,
        as kind: UInt8 = Kind.int,
        field: UInt8
    ) {
        let size = 1 + Self.size(ofVarint: UInt64(bitPattern: number))
        begin(attribute: key, valueSize: size, field)
        begin(2, count: size)
        write(number, field: kind)
    }

    /// A value of its own type; what OpenTelemetry has no type for is text.
    mutating func write(attribute key: UnsafeRawBufferPointer, _ value: RecordValue, field: UInt8) {
        switch value {
        case .text(let text): write(attribute: key, value: text, field: field)
        case .int(let number): write(attribute: key, number: number, field: field)
        case .uint(let number) where number <= UInt64(Int64.max):
            write(attribute: key, number: Int64(number), field: field)
        case .bool(let isTrue): write(attribute: key, number: isTrue ? 1 : 0, as: Kind.bool, field: field)
        case .double(let number):
            begin(attribute: key, valueSize: 9, field)
            begin(2, count: 9)
            write(fixed: number.bitPattern, field: Kind.double)
        case .bytes(let bytes):
            let size = Self.size(ofFieldWith: bytes.count)
            begin(attribute: key, valueSize: size, field)
            begin(2, count: size)
            write(bytes, field: Kind.bytes)
        case .json(let text): write(attribute: key, json: text, field: field)
        case .null, .uint, .time, .duration:
            var text = value.text
            text.withUTF8 { write(attribute: key, value: UnsafeRawBufferPointer($0), field: field) }
        }
    }

    /// A number or a truth of JSON by its type, a text without its quotes, a list and an object as they stand.
    private mutating func write(attribute key: UnsafeRawBufferPointer, json: UnsafeRawBufferPointer, field: UInt8) {
        let text = String(decoding: json.prefix(32), as: UTF8.self)
        if let number = Int64(text), json.count <= 32 { return write(attribute: key, .int(number), field: field) }
        // An integer that is too large for OpenTelemetry's would lose digits.
        let isInteger = !text.contains { $0 == "." || $0 == "e" || $0 == "E" }
        if json.first != UInt8(ascii: "\""), !isInteger, let number = Double(text), json.count <= 32 {
            return write(attribute: key, .double(number), field: field)
        }
        if text == "true" || text == "false" { return write(attribute: key, .bool(text == "true"), field: field) }
        RecordValue.json(json).withPlainBytes { write(attribute: key, value: $0, field: field) }
    }

    /// - Parameter valueSize: how many bytes the `AnyValue` takes that the caller writes next.
    private mutating func begin(attribute key: UnsafeRawBufferPointer, valueSize: Int, _ field: UInt8) {
        guard Self.isASCII(key) || String(validating: key, as: UTF8.self) != nil else {
            var text = String(decoding: key, as: UTF8.self)
            return text.withUTF8 { begin(attribute: UnsafeRawBufferPointer($0), valueSize: valueSize, field) }
        }
        begin(field, count: Self.size(ofFieldWith: key.count) + Self.size(ofFieldWith: valueSize))
        write(key, field: 1)
    }
}

extension StaticString {
    var utf8: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
