/// The width and the form of an expression's characters on a terminal.
enum DisplayWidth {
    /// More code points than the longest emoji has. A letter under more accents than this is shown without them.
    private static let maxScalars = 16

    /// The columns of a character: 2 for East Asian wide characters and emoji, 0 for combining characters, else 1;
    /// for a character that is shown as an escape, the escape's length.
    static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII { return 1 }
        if let escape = escape(character) { return escape.count }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        let isWide = first.properties.isEmojiPresentation || wide.contains { $0.contains(first.value) }
        return isWide ? 2 : 1
    }

    /// Control characters become visible ones, and characters that change the order of the text around them become
    /// escapes, so that a foreign expression cannot control the terminal.
    static func printable(_ character: Character) -> String {
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

    /// Unicode's blocks of East Asian Width W and F.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
