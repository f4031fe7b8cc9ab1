import Glibc

/// Where messages for a person go.
enum StandardError {
    /// Writes a line, with the program's name in front.
    static func report(_ message: String) {
        print("busctl-rx: \(message)")
    }

    static func print(_ text: String) {
        let bytes = Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
        // If even this cannot be written there is nobody to tell.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
