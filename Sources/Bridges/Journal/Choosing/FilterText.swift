/// Pieces of the filter language.
package enum FilterText {
    /// A text as the filter spells it.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    package static func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

    /// An expression that is true if all parts are.
    package static func all(_ pieces: [String]) -> String {
        // A piece may end with a comment.
        pieces.count == 1 ? pieces[0] : pieces.map { "(\($0)\n)" }.joined(separator: " && ")
    }
}
