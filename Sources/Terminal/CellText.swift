import Filter

/// Characters as the texts of cells.
enum CellText {
    /// The texts to write for a character, each with its columns, 1 or 2.
    static func pieces(of character: Character) -> [(text: String, width: Int)] {
        if let code = character.asciiValue, (0x20..<0x7F).contains(code) { return [(String(character), 1)] }
        // The visible form of a tab is left to the caller there.
        let printable = character == "\t" ? "\u{2409}" : DisplayWidth.printable(character)
        if DisplayWidth.isEmoji(character), printable == String(character) { return [(printable, 2)] }
        var pieces: [(text: String, width: Int)] = []
        for scalar in printable.unicodeScalars {
            let width = DisplayWidth.columns(scalar)
            if width > 0 {
                pieces.append((String(scalar), width))
            } else if let last = pieces.indices.last {
                pieces[last].text.unicodeScalars.append(scalar)
            } else {
                // A mark without a letter.
                pieces.append(("\u{25CC}\(scalar)", 1))
            }
        }
        return pieces
    }
}
