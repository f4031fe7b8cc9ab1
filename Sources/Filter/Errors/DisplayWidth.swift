/// How a terminal shows a character of an expression.
enum DisplayWidth {
    /// Columns taken: 2 for East Asian wide characters and emoji, 0 for what only combines, else 1.
    static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII { return 1 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        let isWide = first.properties.isEmojiPresentation || wide.contains { $0.contains(first.value) }
        return isWide ? 2 : 1
    }

    /// Control characters become visible ones, so that an expression from a stranger cannot steer the terminal.
    static func printable(_ character: Character) -> String {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else {
            return String(character)
        }
        if character == "\t" { return "\t" }
        switch scalar.value {
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map(String.init) ?? "?"
        case 0x7F: return "\u{2421}"
        case 0x80..<0xA0: return "\u{FFFD}"
        default:
            let reorders = scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .control
            return reorders ? "" : String(character)
        }
    }

    /// Unicode's blocks of East Asian Width W and F.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
