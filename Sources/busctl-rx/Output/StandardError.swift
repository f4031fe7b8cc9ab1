import Glibc

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
        var text = String.UnicodeScalarView()
        for scalar in message.unicodeScalars {
            switch scalar.value {
            case 0x0A: text.append(scalar)
            case ..<0x20, 0x7F..<0xA0: text += "\\x\(hexadecimal(scalar.value))".unicodeScalars
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        (value < 0x10 ? "0" : "") + String(value, radix: 16)
    }
}
