/// The text between the quotes of a JSON text (RFC 8259, section 7).
package enum JSONEscapes {
    /// The text without its escapes, as UTF-8; `nil` if an escape is invalid. Bytes that are not UTF-8 stay as they
    /// are.
    package static func removed(from text: UnsafeRawBufferPointer) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var position = 0
        while position < text.count {
            let byte = text[position]
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            guard let scalar = scalar(in: text, at: &position) else { return nil }
            plain.append(contentsOf: String(scalar).utf8)
        }
        return plain
    }

    /// The character of an escape, which begins after its backslash, at `position`; `nil` for an invalid one. Half of
    /// a pair without the other half becomes U+FFFD.
    package static func scalar(in text: UnsafeRawBufferPointer, at position: inout Int) -> Unicode.Scalar? {
        guard position < text.count else { return nil }
        let letter = text[position]
        position += 1
        switch letter {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "u"): return codePoint(in: text, at: &position)
        default: return nil
        }
    }

    private static func codePoint(in text: UnsafeRawBufferPointer, at position: inout Int) -> Unicode.Scalar? {
        guard let unit = codeUnit(in: text, at: &position) else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        let rest = position
        if position + 1 < text.count, text[position] == UInt8(ascii: "\\"), text[position + 1] == UInt8(ascii: "u") {
            position += 2
            if let low = codeUnit(in: text, at: &position), (0xDC00..<0xE000).contains(low) {
                return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            }
            position = rest
        }
        return "\u{FFFD}"
    }

    /// Four hexadecimal digits.
    package static func codeUnit(in text: UnsafeRawBufferPointer, at position: inout Int) -> UInt32? {
        guard position + 4 <= text.count else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch text[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = text[position] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = text[position] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = text[position] - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}
