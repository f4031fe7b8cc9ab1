import Glibc
import JournalBridge

/// Where messages for a person go.
enum StandardError {
    /// Writes a message, with the program's name in front.
    static func report(_ message: String) {
        let bytes = Array(("busctl-rx: " + harmless(message) + "\n").utf8)
        // If even this cannot be written there is nobody to tell.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    /// A message quotes names that anyone may have chosen; the terminal must not obey them.
    private static func harmless(_ message: String) -> String {
        var text = ""
        for scalar in message.unicodeScalars {
            if scalar != "\n", TerminalText.isActive(scalar.value) {
                text += TerminalText.visible(scalar.value)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
