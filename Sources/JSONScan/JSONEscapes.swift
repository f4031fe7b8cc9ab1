/// What stands between the quotes of a JSON text (RFC 8259, section 7).
package enum JSONEscapes {
    /// The text without its escapes, as UTF-8; `nil` where an escape means nothing. What is no UTF-8 stays as it is.
    package static func removed(from text: UnsafeRawBufferPointer) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            guard index < text.count else { return nil }
            let letter = text[index]
            index += 1
            switch letter {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(letter)
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(in: text, at: &index) else { return nil }
                plain.append(contentsOf: String(scalar).utf8)
            default: return nil
            }
        }
        return plain
    }

    /// The character behind a `\u`, which may take a second one.
    private static func scalar(in text: UnsafeRawBufferPointer, at index: inout Int) -> Unicode.Scalar? {
        guard let first = unit(in: text, at: &index) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard index + 1 < text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        index += 2
        guard let second = unit(in: text, at: &index), (0xDC00..<0xE000).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    /// Four hexadecimal digits.
    private static func unit(in text: UnsafeRawBufferPointer, at index: inout Int) -> UInt32? {
        guard index + 4 <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }
}
