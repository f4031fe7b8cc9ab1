extension Lexer {
    /// Whole numbers, decimal or hexadecimal, with `u` for unsigned ones; numbers with a point or an exponent.
    mutating func number() throws(Complaint) -> Token {
        let start = position
        if peek() == UInt8(ascii: "0"), peek(1).map(Self.lowercased) == UInt8(ascii: "x") {
            return try hexadecimal(start)
        }
        skipDigits()
        var isWhole = true
        if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
            isWhole = false
            position += 1
            skipDigits()
        }
        if peek().map(Self.lowercased) == UInt8(ascii: "e") {
            let signed = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if Self.isDigit(peek(signed ? 2 : 1)) {
                isWhole = false
                position += signed ? 2 : 1
                skipDigits()
            }
        }
        let digits = source.text(SourceRange(start, position))
        guard isWhole else {
            try refuseTrailingName(start)
            guard let value = Double(digits), value.isFinite else {
                throw Complaint(
                    "\(DisplayWidth.shortened(digits)) is too large for a floating-point number",
                    at: SourceRange(start, position)
                )
            }
            return Token(kind: .double(value), range: SourceRange(start, position))
        }
        return try whole(UInt64(digits), start)
    }

    private mutating func hexadecimal(_ start: Int) throws(Complaint) -> Token {
        position += 2
        let digits = position
        while let byte = peek(), Self.hexDigit(byte) != nil { position += 1 }
        guard position > digits else {
            throw Complaint("0x must be followed by hexadecimal digits", at: SourceRange(start, position))
        }
        return try whole(UInt64(source.text(SourceRange(digits, position)), radix: 16), start)
    }

    private mutating func whole(_ value: UInt64?, _ start: Int) throws(Complaint) -> Token {
        let end = position
        let isUnsigned = peek().map(Self.lowercased) == UInt8(ascii: "u")
        if isUnsigned { position += 1 }
        try refuseTrailingName(start)
        guard let value else {
            throw Complaint(
                "\(DisplayWidth.shortened(source.text(SourceRange(start, end)))) does not fit into 64 bits",
                at: SourceRange(start, end)
            )
        }
        return Token(kind: isUnsigned ? .unsigned(value) : .integer(value), range: SourceRange(start, position))
    }

    private mutating func refuseTrailingName(_ start: Int) throws(Complaint) {
        let end = position
        while Self.continuesName(peek()) { position += 1 }
        guard position > end else { return }
        let found = source.text(SourceRange(start, position))
        if let (date, range) = dateAround(start) {
            throw Complaint("\(source.text(range)) is no value; a time is written \(date)", at: range)
        }
        let advice =
            LooseTime.duration(found).map { "; a duration is written \($0)" }
            ?? "; put text in quotes, or a blank after the number"
        throw Complaint(
            "\(DisplayWidth.shortened(found)) is neither a number nor a name\(advice)",
            at: SourceRange(start, position)
        )
    }

    /// The date and time of day that the number is part of, as in `2026-01-31T10:00:00Z`.
    private func dateAround(_ start: Int) -> (written: String, range: SourceRange)? {
        func belongs(_ byte: UInt8) -> Bool {
            Self.continuesName(byte) || [UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "."), 0x2B].contains(byte)
        }
        let maxLength = 40
        let lower = source.bytes[max(0, start - maxLength)..<start].lastIndex { !belongs($0) }.map { $0 + 1 }
        let from = lower ?? max(0, start - maxLength)
        let upper = source.bytes[start...].prefix(maxLength).firstIndex { !belongs($0) }
        let range = SourceRange(from, upper ?? min(source.bytes.count, start + maxLength))
        return LooseTime.time(source.text(range)).map { ($0, range) }
    }

    private mutating func skipDigits() {
        while Self.isDigit(peek()) { position += 1 }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte | 0x20
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
