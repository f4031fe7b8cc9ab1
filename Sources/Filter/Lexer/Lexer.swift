/// Cuts the expression's bytes into tokens, one at a time. A copy of it looks ahead without moving it.
struct Lexer {
    let source: SourceText
    var position = 0

    init(_ source: SourceText) {
        self.source = source
    }

    mutating func next() throws(Complaint) -> Token {
        skipBlanks()
        guard let byte = peek() else { return Token(kind: .end, range: SourceRange(position, position)) }
        switch byte {
        case _ where Self.beginsName(byte):
            if let quote = stringStart() { return try string(quote) }
            return name()
        case 0x30...0x39: return try number()
        case UInt8(ascii: ".") where Self.isDigit(peek(1)): return try number()
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return try string(StringStart(prefixLength: 0, isRaw: false, isBytes: false))
        case UInt8(ascii: "`"): return try quotedName()
        default: return try symbol(byte)
        }
    }

    func peek(_ distance: Int = 0) -> UInt8? {
        let index = position + distance
        return index < source.bytes.count ? source.bytes[index] : nil
    }

    static func beginsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    static func continuesName(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return beginsName(byte) || isDigit(byte)
    }

    static func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte >= 0x30 && byte <= 0x39
    }

    private mutating func skipBlanks() {
        while let byte = peek() {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
                position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while let byte = peek(), byte != 0x0A { position += 1 }
            default:
                return
            }
        }
    }

    private mutating func name() -> Token {
        let start = position
        while Self.continuesName(peek()) { position += 1 }
        let range = SourceRange(start, position)
        return Token(kind: .name(source.text(range)), range: range)
    }

    private mutating func quotedName() throws(Complaint) -> Token {
        let start = position
        position += 1
        while let byte = peek(), Self.continuesName(byte) || [0x2E, 0x2D, 0x2F, 0x20].contains(byte) { position += 1 }
        let name = source.text(SourceRange(start + 1, position))
        guard peek() == UInt8(ascii: "`") else {
            throw Complaint(
                "a name between backticks may hold letters, digits, _ . - / and blanks, and must end with a backtick",
                at: SourceRange(start, position)
            )
        }
        position += 1
        guard !name.isEmpty else {
            throw Complaint("there is no name between these backticks", at: SourceRange(start, position))
        }
        return Token(kind: .quotedName(name), range: SourceRange(start, position))
    }

    private mutating func symbol(_ byte: UInt8) throws(Complaint) -> Token {
        if let complaint = UnknownSymbols.foreignOperator(at: position, in: source) { throw complaint }
        for length in [2, 1] {
            let range = SourceRange(position, min(position + length, source.bytes.count))
            guard let symbol = Token.Symbol(rawValue: source.text(range)) else { continue }
            position = range.upper
            return Token(kind: .symbol(symbol), range: range)
        }
        throw UnknownSymbols.complaint(at: position, in: source)
    }
}
