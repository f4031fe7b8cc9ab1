import JournalBridge
import Records

/// A message as one line of bounded length. It quotes names that anyone may have chosen: the terminal must not obey
/// them, and they must not pass for another message.
enum OneLine {
    /// Longer messages lose their middle: the beginning describes the mistake, the end the correction.
    private static let maxLength = 4096

    static func of(_ message: String) -> String {
        let scalars = message.unicodeScalars
        // Counting would take as long as the message; bytes are never fewer than characters.
        guard message.utf8.count > maxLength else { return escaped(scalars) }
        let half = maxLength / 2
        let left = scalars.prefix(half)
        let right = scalars.suffix(half)
        guard left.endIndex < right.startIndex else { return escaped(scalars) }
        return escaped(left) + " […] " + escaped(right)
    }

    private static func escaped(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar {
            case "\n": text += "\\n".unicodeScalars
            case "\r": text += "\\r".unicodeScalars
            case "\t": text += "\\t".unicodeScalars
            case _ where TerminalText.isActive(scalar.value):
                text += TerminalText.visible(scalar.value).unicodeScalars
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
