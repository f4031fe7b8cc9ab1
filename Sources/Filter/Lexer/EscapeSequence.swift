extension Lexer {
    /// Reads the escape at the position and appends its value: a code point in text, a byte in bytes.
    mutating func appendEscape(to content: inout [UInt8], isBytes: Bool) throws(Complaint) {
        let start = position
        guard let letter = peek(1) else {
            position += 1
            return
        }
        position += 2
        switch letter {
        case UInt8(ascii: "a"): content.append(0x07)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "v"): content.append(0x0B)
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            content.append(letter)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            append(try digits(2, radix: 16, start), to: &content, isBytes: isBytes)
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            try appendCodePoint(wide: letter == UInt8(ascii: "U"), start, to: &content, isBytes: isBytes)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            position -= 1
            append(try digits(3, radix: 8, start), to: &content, isBytes: isBytes)
        default:
            throw unknownEscape(start)
        }
    }

    private mutating func appendCodePoint(
        wide: Bool,
        _ start: Int,
        to content: inout [UInt8],
        isBytes: Bool
    ) throws(Complaint) {
        let value = try digits(wide ? 8 : 4, radix: 16, start)
        let range = SourceRange(start, position)
        if isBytes {
            throw Complaint("bytes have no code points; write them as \\xHH or \\OOO", at: range)
        }
        guard let scalar = Unicode.Scalar(value) else {
            let reason = value > 0x10FFFF ? "is beyond the last code point, \\U0010FFFF" : "is half of a surrogate pair"
            throw Complaint("\(source.text(range)) \(reason)", at: range)
        }
        content.append(contentsOf: String(Character(scalar)).utf8)
    }

    private func append(_ value: UInt32, to content: inout [UInt8], isBytes: Bool) {
        let byte = UInt8(truncatingIfNeeded: value)
        if isBytes {
            content.append(byte)
        } else {
            content.append(contentsOf: String(Character(Unicode.Scalar(byte))).utf8)
        }
    }

    private mutating func digits(_ count: Int, radix: UInt32, _ start: Int) throws(Complaint) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = peek(), let digit = Self.hexDigit(byte), digit < radix else {
                let kind = radix == 8 ? "octal" : "hexadecimal"
                let found = source.text(SourceRange(start, position))
                throw Complaint(
                    "\(found) is incomplete: \(count) \(kind) digits must stand here",
                    at: SourceRange(start, position)
                )
            }
            value = value << (radix == 8 ? 3 : 4) | digit
            position += 1
        }
        return value
    }

    private func unknownEscape(_ start: Int) -> Complaint {
        let character = source.text(SourceRange(start + 1, min(start + 5, source.bytes.count))).first ?? "?"
        let range = SourceRange(start, start + 1 + character.utf8.count)
        let escaped = DisplayWidth.printable(character)
        return Complaint(
            "\\\(escaped) is no escape; write \\\\\(escaped) for a backslash, or r\"…\" for a text without escapes",
            at: range
        )
    }
}
