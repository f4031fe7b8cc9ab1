import Records

/// Values of D-Bus as JSON.
///
/// A dictionary is an object; a key that is not text becomes the text of its JSON. Bytes are a list of numbers. An
/// open file, and a number that is not finite, are null.
enum DBusJSON {
    enum Form {
        /// A variant is its content.
        case plain
        /// A variant is `{"type":…,"data":…}`, as busctl writes it.
        case exact
    }

    /// The values as a list.
    static func text(_ values: [DBusValue], _ form: Form) -> [UInt8] {
        var output = OutputBuffer(capacity: 256)
        append(list: values, form, to: &output)
        return output.withBytes { Array($0) }
    }

    static func append(_ value: DBusValue, _ form: Form, to output: inout OutputBuffer) {
        switch value {
        case .byte(let number): output.append(decimal: UInt64(number))
        case .boolean(let bool): output.append(bool ? "true" : "false")
        case .int16(let number): append(signed: Int64(number), to: &output)
        case .uint16(let number): output.append(decimal: UInt64(number))
        case .int32(let number): append(signed: Int64(number), to: &output)
        case .uint32(let number): output.append(decimal: UInt64(number))
        case .int64(let number): append(signed: number, to: &output)
        case .uint64(let number): output.append(decimal: number)
        case .double(let number) where number.isFinite: output.append(text: "\(number)")
        case .double, .descriptor: output.append("null")
        case .string(let text), .objectPath(let text), .signature(let text): append(text: text, to: &output)
        case .bytes(let bytes): append(bytes: bytes, to: &output)
        case .array(let elements, _), .structure(let elements): append(list: elements, form, to: &output)
        case .dictionary(let dictionary): append(dictionary, form, to: &output)
        case .variant(let inner):
            guard form == .exact else { return append(inner, form, to: &output) }
            output.append("{\"type\":")
            append(text: inner.type.code, to: &output)
            output.append(",\"data\":")
            append(inner, form, to: &output)
            output.append("}")
        }
    }

    private static func append(signed number: Int64, to output: inout OutputBuffer) {
        if number < 0 { output.append("-") }
        output.append(decimal: number.magnitude)
    }

    private static func append(text: String, to output: inout OutputBuffer) {
        var text = text
        text.withUTF8 { JSONText.append(text: UnsafeRawBufferPointer($0), to: &output) }
    }

    private static func append(bytes: [UInt8], to output: inout OutputBuffer) {
        output.append("[")
        for (index, byte) in bytes.enumerated() {
            if index > 0 { output.append(",") }
            output.append(decimal: UInt64(byte))
        }
        output.append("]")
    }

    private static func append(list values: [DBusValue], _ form: Form, to output: inout OutputBuffer) {
        output.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(",") }
            append(value, form, to: &output)
        }
        output.append("]")
    }

    private static func append(_ dictionary: DBusDictionary, _ form: Form, to output: inout OutputBuffer) {
        output.append("{")
        for (index, entry) in dictionary.entries.enumerated() {
            if index > 0 { output.append(",") }
            if let key = entry.key.text {
                append(text: key, to: &output)
            } else {
                // Numbers and booleans: nothing in them has to be escaped.
                output.append("\"")
                append(entry.key, form, to: &output)
                output.append("\"")
            }
            output.append(":")
            append(entry.value, form, to: &output)
        }
        output.append("}")
    }
}
