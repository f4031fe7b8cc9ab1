/// The prefix before the first quote of a text.
struct StringStart {
    var prefixLength: Int
    var isRaw: Bool
    var isBytes: Bool
}

extension Lexer {
    /// Recognises `r`, `b` and both before a quote, in either case and order.
    func stringStart() -> StringStart? {
        var start = StringStart(prefixLength: 0, isRaw: false, isBytes: false)
        while start.prefixLength < 3, let byte = peek(start.prefixLength) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): return start
            case UInt8(ascii: "r"), UInt8(ascii: "R"):
                if start.isRaw { return nil }
                start.isRaw = true
            case UInt8(ascii: "b"), UInt8(ascii: "B"):
                if start.isBytes { return nil }
                start.isBytes = true
            default: return nil
            }
            start.prefixLength += 1
        }
        return nil
    }

    mutating func string(_ form: StringStart) throws(Complaint) -> Token {
        let start = position
        position += form.prefixLength
        guard let quote = peek() else { return Token(kind: .end, range: SourceRange(start, position)) }
        let isTriple = peek(1) == quote && peek(2) == quote
        position += isTriple ? 3 : 1

        var content: [UInt8] = []
        while let byte = peek() {
            if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) {
                position += isTriple ? 3 : 1
                let range = SourceRange(start, position)
                return Token(kind: form.isBytes ? .bytes(content) : .string(content), range: range)
            }
            if byte == UInt8(ascii: "\\"), !form.isRaw {
                try appendEscape(to: &content, isBytes: form.isBytes)
                continue
            }
            if !isTriple, byte == 0x0A || byte == 0x0D { break }
            content.append(byte)
            position += 1
        }
        throw unterminated(start, quote: quote, isTriple: isTriple, isRaw: form.isRaw)
    }

    private func unterminated(_ start: Int, quote: UInt8, isTriple: Bool, isRaw: Bool) -> Complaint {
        let mark = String(repeating: Character(Unicode.Scalar(quote)), count: isTriple ? 3 : 1)
        let range = SourceRange(start, position)
        guard !isTriple, peek() != nil else {
            let lastIsEscaped = !isRaw && source.text(range).hasSuffix("\\" + mark)
            let hint = lastIsEscaped ? "; \\\(mark) stands for a quote within it, write \\\\ for a backslash" : ""
            return Complaint("this text has no closing \(mark)\(hint)", at: range)
        }
        return Complaint(
            "this text has no closing \(mark) on its line; write \\n for a line break, or"
                + " \(mark + mark + mark) around it",
            at: range
        )
    }
}
