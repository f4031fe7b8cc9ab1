/// Signs that other languages use, and what to write here instead.
enum UnknownSymbols {
    /// A valid symbol that is the beginning of a foreign one, such as `==` in `===`.
    static func complaint(instead symbol: Token.Symbol, at range: SourceRange, in source: SourceText) -> Complaint? {
        let next = range.upper < source.bytes.count ? source.bytes[range.upper] : 0
        let foreign: (found: String, right: String)? =
            switch (symbol, next) {
            case (.equal, UInt8(ascii: "=")): ("===", "==")
            case (.notEqual, UInt8(ascii: "=")): ("!==", "!=")
            case (.less, UInt8(ascii: ">")): ("<>", "!=")
            case (.equal, UInt8(ascii: "~")): ("==~", "=~")
            default: nil
            }
        guard let foreign else { return nil }
        return Complaint(
            "found \(foreign.found); write \(foreign.right)",
            at: SourceRange(range.lower, range.upper + 1)
        )
    }

    static func complaint(at position: Int, in source: SourceText) -> Complaint {
        let character = firstCharacter(at: position, in: source)
        let range = SourceRange(position, position + character.utf8.count)
        return Complaint(advice(character) ?? "found \(visible(character)), which means nothing here", at: range)
    }

    private static func advice(_ character: Character) -> String? {
        switch character {
        case "=": "found =; write == to compare"
        case "&": "found &; write && (or: and) to join two conditions"
        case "|": "found |; write || (or: or) to join two conditions"
        case "~": "found ~; write =~ to match a regular expression"
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

    private static func firstCharacter(at position: Int, in source: SourceText) -> Character {
        source.text(SourceRange(position, min(position + 64, source.bytes.count))).first ?? "?"
    }

    private static func visible(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        guard let scalar = scalars.first else { return "nothing" }
        let isPlain = scalars.count == 1 && scalar.value >= 0x21 && scalar.value != 0x7F && scalar.value < 0x80
        if isPlain || scalar.properties.isAlphabetic || scalar.properties.isEmojiPresentation {
            return String(character)
        }
        let code = String(scalar.value, radix: 16, uppercase: true)
        return "the character U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    }
}
