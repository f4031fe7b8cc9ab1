extension RecordValue {
    /// Lends the value as text: of a JSON text what stands between its quotes, without escapes.
    func withPlainBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch self {
        case .text(let bytes), .bytes(let bytes): body(bytes)
        case .json(let value):
            if let plain = JSONObject.plain(value) { plain.withUnsafeBytes(body) } else { body(value) }
        default:
            var text = self.text
            text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Writes the value as JSON. A value that is no JSON though its source said so is written as a text.
    func append(json output: inout OutputBuffer) {
        switch self {
        case .null: output.append("null")
        case .bool(let value): output.append(value ? "true" : "false")
        case .int(let value): output.append(text: "\(value)")
        case .uint(let value): output.append(decimal: value)
        case .double(let value) where value.isFinite: output.append(text: "\(value)")
        case .text(let bytes), .bytes(let bytes): JSONText.append(bytes, to: &output)
        case .json(let value) where JSONValue.isSound(value): output.append(value)
        case .double, .json, .time, .duration: withPlainBytes { JSONText.append($0, to: &output) }
        }
    }
}

/// Fields alone as a JSON object in a line.
package enum JSONLine {
    /// Without a line feed. Of names, none is looked for twice.
    package static func text(of content: some RecordContent) -> String {
        var output = OutputBuffer(capacity: 512)
        output.append("{")
        content.withFields { fields in
            for (index, field) in fields.enumerated() {
                if index > 0 { output.append(",") }
                JSONText.append(name: field.name, to: &output)
                output.append(":")
                field.value.append(json: &output)
            }
        }
        output.append("}")
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// Whether a text is one JSON value (RFC 8259) in one line, nested no deeper than a hundred times.
enum JSONValue {
    static func isSound(_ text: UnsafeRawBufferPointer) -> Bool {
        var reader = Reader(text: text)
        return reader.value(depth: 0) && reader.position == text.count
    }

    private struct Reader {
        let text: UnsafeRawBufferPointer
        var position = 0

        private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: symbol) else { return false }
            position += 1
            return true
        }

        private mutating func skipBlanks() {
            while position < text.count, text[position] == 0x20 || text[position] == 0x09 { position += 1 }
        }

        mutating func value(depth: Int) -> Bool {
            skipBlanks()
            defer { skipBlanks() }
            guard position < text.count, depth < 100 else { return false }
            switch text[position] {
            case UInt8(ascii: "\""): return string()
            case UInt8(ascii: "{"): return members(depth)
            case UInt8(ascii: "["): return elements(depth)
            case UInt8(ascii: "t"): return word("true")
            case UInt8(ascii: "f"): return word("false")
            case UInt8(ascii: "n"): return word("null")
            default: return number()
            }
        }

        private mutating func members(_ depth: Int) -> Bool {
            position += 1
            skipBlanks()
            if take("}") { return true }
            repeat {
                skipBlanks()
                guard string() else { return false }
                skipBlanks()
                guard take(":"), value(depth: depth + 1) else { return false }
            } while take(",")
            return take("}")
        }

        private mutating func elements(_ depth: Int) -> Bool {
            position += 1
            skipBlanks()
            if take("]") { return true }
            repeat {
                guard value(depth: depth + 1) else { return false }
            } while take(",")
            return take("]")
        }

        private mutating func string() -> Bool {
            guard take("\"") else { return false }
            while position < text.count {
                let byte = text[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return true
                case ..<0x20: return false
                case UInt8(ascii: "\\"):
                    guard position < text.count, "\"\\/bfnrtu".utf8.contains(text[position]) else { return false }
                    position += 1
                case 0x80...:
                    // Whole characters alone are text.
                    let length = text.withMemoryRebound(to: UInt8.self) { bytes in
                        bytes.baseAddress.map { Printable.length($0, position - 1, bytes.count) } ?? 0
                    }
                    guard length > 0 else { return false }
                    position += length - 1
                default: break
                }
            }
            return false
        }

        private mutating func word(_ word: StaticString) -> Bool {
            let end = position + word.utf8CodeUnitCount
            guard end <= text.count else { return false }
            let wanted = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard text[position..<end].elementsEqual(wanted) else { return false }
            position = end
            return true
        }

        private mutating func digits() -> Bool {
            let start = position
            while position < text.count, (0x30...0x39).contains(text[position]) { position += 1 }
            return position > start
        }

        private mutating func number() -> Bool {
            _ = take("-")
            if !take("0"), !digits() { return false }
            if take("."), !digits() { return false }
            if take("e") || take("E") {
                if !take("+") { _ = take("-") }
                return digits()
            }
            return true
        }
    }
}
