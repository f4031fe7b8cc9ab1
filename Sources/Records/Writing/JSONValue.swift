import JSONScan

/// A text that is one JSON value (RFC 8259) in one line, nested no deeper than a hundred times.
package enum JSONValue {
    /// Whether a text is one.
    package static func isSound(_ text: UnsafeRawBufferPointer) -> Bool { Reader.read(text) != nil }

    /// Writes the text if it is one, with U+FFFD in the place of each half of a surrogate pair, which some parsers refuse.
    ///
    /// - Returns: whether it was written.
    static func append(_ text: UnsafeRawBufferPointer, to output: inout OutputBuffer) -> Bool {
        guard let reader = Reader.read(text) else { return false }
        let start = output.count
        output.append(text)
        for half in reader.halfPairs {
            for (offset, byte) in #"\ufffd"#.utf8.enumerated() { output.replace(at: start + half + offset, with: byte) }
        }
        return true
    }

    private struct Reader {
        let text: UnsafeRawBufferPointer
        var position = 0
        /// Where escapes of half a surrogate pair begin.
        private(set) var halfPairs: [Int] = []

        private init(text: UnsafeRawBufferPointer) { self.text = text }

        /// `nil` for anything but one value.
        static func read(_ text: UnsafeRawBufferPointer) -> Reader? {
            var reader = Reader(text: text)
            return reader.value(depth: 0) && reader.position == text.count ? reader : nil
        }

        private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: symbol) else { return false }
            position += 1
            return true
        }

        private mutating func skipBlanks() {
            while position < text.count, text[position] == 0x20 || text[position] == 0x09 { position += 1 }
        }

        private mutating func value(depth: Int) -> Bool {
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
            default: return JSONNumber.skip(in: text, at: &position)
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
                    let start = position - 1
                    guard let scalar = JSONEscapes.scalar(in: text, at: &position) else { return false }
                    // The escape of this character itself stays the same.
                    if scalar == "\u{FFFD}" { halfPairs.append(start) }
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
    }
}
