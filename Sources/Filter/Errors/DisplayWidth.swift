/// The width and the form of characters on a terminal.
package enum DisplayWidth {
    /// More code points than the longest emoji has. A letter under more accents than this is shown without them.
    private static let maxScalars = 16

    /// The columns of a character: the sum of those of its code points; but 2 for an emoji, whatever is joined to it, and for a
    /// character that is shown as an escape, the escape's length.
    package static func columns(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        if let escape = escape(character) { return escape.count }
        return isEmoji(character) ? 2 : character.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// Whether the character is shown as one picture.
    package static func isEmoji(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { $0.properties.isEmojiPresentation && !isRegionalIndicator($0) } ?? false
    }

    /// The columns of a code point: 2 for East Asian wide characters and emoji, 0 for combining characters, else 1.
    package static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if conjoining.contains(where: { $0.contains(scalar.value) }) { return 0 }
        let isPicture = scalar.properties.isEmojiPresentation && !isRegionalIndicator(scalar)
        return isPicture || wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// How many of the characters fit into so many columns.
    package static func count(in characters: some Collection<Character>, within columns: Int) -> Int {
        var used = 0
        var fitting = 0
        for character in characters {
            used += DisplayWidth.columns(character)
            // Characters without a width count, too, or there would be no end of them.
            if used > columns || fitting == columns { break }
            fitting += 1
        }
        return fitting
    }

    /// Control characters become visible ones, and characters that change the order of the text around them become
    /// escapes, so that a foreign expression cannot control the terminal.
    package static func printable(_ character: Character) -> String {
        if character == "\t" { return "\t" }
        if character == "\r\n" { return "␍␊" }
        let scalars = character.unicodeScalars
        guard let scalar = scalars.first, scalars.prefix(2).count == 1 else {
            return scalars.prefix(maxScalars + 1).count <= maxScalars
                ? String(character) : scalars.first.map { "\($0)…" } ?? ""
        }
        switch scalar.value {
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map(String.init) ?? "?"
        case 0x7F: return "\u{2421}"
        case 0x80..<0xA0: return "\u{FFFD}"
        default: return escape(character) ?? String(character)
        }
    }

    /// The same for each character of a text. An expression may have anything in its texts, and in names in quotes.
    static func printable(_ text: String) -> String { text.map { printable($0) }.joined() }

    /// A text for a message: one line, at most so many characters, none of which controls a terminal.
    static func shortened(_ text: String, to limit: Int = 40) -> String {
        let characters = text.prefix(limit + 1)
        let line = characters.map { $0.isNewline ? " " : $0 }
        let shown = line.count <= limit ? line[...] : line.prefix(limit - 1)
        return shown.map(printable).joined() + (line.count <= limit ? "" : "…")
    }

    /// As the language escapes it, for a character that has no form of its own.
    private static func escape(_ character: Character) -> String? {
        let scalars = character.unicodeScalars
        guard let scalar = scalars.first, scalars.prefix(2).count == 1 else { return nil }
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: break
        default: return nil
        }
        let code = String(scalar.value, radix: 16, uppercase: true)
        let width = scalar.value > 0xFFFF ? 8 : 4
        return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - code.count) + code
    }

    /// Half a flag.
    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// The vowels and final consonants of Hangul, which join the consonant before them.
    private static let conjoining: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

    /// Unicode's ranges of East Asian Width W and F, without those emoji that are W.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
