/// Symbols of other languages, with their replacements.
enum UnknownSymbols {
    /// Operators of other languages, none of which can stand in an expression of this one. Longer ones first.
    private static let operators: [(found: String, right: String)] = [
        ("===", "=="), ("!==", "!="), ("!=~", "!~"), ("==~", "=~"), ("<>", "!="), ("=<", "<="), ("=>", ">="),
        ("=!", "!="), ("~=", "=~"), (":=", "=="), ("?=", "=="), ("!<", ">="), ("!>", "<="),
    ]

    /// An operator of another language, even if it begins with one of this language's, as `===` does.
    static func foreignOperator(at position: Int, in source: SourceText) -> Complaint? {
        guard position + 1 < source.bytes.count,
            beginnings.contains(Self.pair(source.bytes[position], source.bytes[position + 1]))
        else { return nil }
        let rest = source.bytes[position...]
        if let known = operators.first(where: { rest.starts(with: $0.found.utf8) }) {
            return Complaint(
                "found \(known.found); write \(known.right)",
                at: SourceRange(position, position + known.found.utf8.count)
            )
        }
        guard let (sign, advice) = spelledOut.first(where: { rest.starts(with: $0.sign.utf8) }) else { return nil }
        return Complaint("found \(sign); \(advice)", at: SourceRange(position, position + sign.utf8.count))
    }

    /// The first two bytes of all of these. Most places are skipped by comparing these alone.
    private static let beginnings: Set<UInt16> = Set(
        (operators.map(\.found) + spelledOut.map(\.sign)).map { Array($0.utf8) }.map { pair($0[0], $0[1]) }
    )

    private static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(first) << 8 | UInt16(second)
    }

    private static let spelledOut: [(sign: String, advice: String)] = [
        ("..", "a range is two comparisons, as in x >= 1 && x <= 5"),
        ("**", "a power is written as a product, as in x * x"),
        ("/*", "a comment begins with // and ends with its line"),
    ]

    static func complaint(at position: Int, in source: SourceText) -> Complaint {
        let character = firstCharacter(at: position, in: source)
        let range = SourceRange(position, position + character.utf8.count)
        let message = advice(character) ?? blank(character) ?? "found \(visible(character)), which means nothing here"
        return Complaint(message, at: range)
    }

    private static func advice(_ character: Character) -> String? {
        switch character {
        case "=": "found =; write == to compare"
        case "&": "found &; write && (or: and) to join two conditions"
        case "|": "found |; write || (or: or) to join two conditions"
        case "~": "found ~; write =~ to match a regular expression"
        case "^": "found ^; write != between two conditions of which one must hold, or math.bitXor(x, y) for bits"
        case "“", "”", "„", "«", "»": "found the typographic quote \(character); write \" around text"
        case "‘", "’", "‚": "found the typographic quote \(character); write ' around text"
        case "≠": "found ≠; write !="
        case "≤": "found ≤; write <="
        case "≥": "found ≥; write >="
        case "¬": "found ¬; write ! (or: not)"
        case "−", "–", "—": "found the dash \(character); write - for minus"
        case ";": "found a semicolon; an expression is one condition: join several with && or ||"
        case "#": "found #; a comment begins with //"
        case "$", "@": "found \(character); a field is written by its bare name"
        case "\\": "found \\ outside of a text; put text in quotes"
        default: nil
        }
    }

    /// A character that looks like a blank or like an ASCII one, or like nothing at all.
    private static func blank(_ character: Character) -> String? {
        guard let scalar = character.unicodeScalars.first, !scalar.isASCII else { return nil }
        let names: [UInt32: String] = [
            0xA0: "a no-break space", 0x202F: "a narrow no-break space", 0x3000: "an ideographic space",
        ]
        let code = codePoint(scalar)
        if let ascii = fullWidth(scalar) { return "found \(scalar), the full-width form of \(ascii); write \(ascii)" }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator:
            return "found \(names[scalar.value] ?? "a foreign space") (\(code)); write a plain space instead"
        case .format: return "found the invisible character \(code); remove it"
        default: return nil
        }
    }

    private static func fullWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        (0xFF01...0xFF5E).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xFEE0) : nil
    }

    private static func firstCharacter(at position: Int, in source: SourceText) -> Character {
        source.text(SourceRange(position, min(position + 64, source.bytes.count))).first ?? "?"
    }

    private static func visible(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        guard let scalar = scalars.first else { return "nothing" }
        let isPlain = scalars.count == 1 && scalar.value >= 0x21 && scalar.value != 0x7F && scalar.value < 0x80
        if isPlain || scalar.properties.isAlphabetic || scalar.properties.isEmojiPresentation {
            return DisplayWidth.printable(character)
        }
        return "the character \(codePoint(scalar))"
    }

    private static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let code = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    }
}
