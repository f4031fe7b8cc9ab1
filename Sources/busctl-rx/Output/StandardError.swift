import Bus
import Glibc
import JournalBridge

/// The destination of messages for a person.
enum StandardError {
    /// Takes messages while a full screen is shown.
    private static let diversion = Lock<(@Sendable (String) -> Void)?>(nil)

    static func divert(to sink: (@Sendable (String) -> Void)?) { diversion.withLock { $0 = sink } }

    /// Writes a message as one line, with the program's name in front, and a hint as another. Blocks while nobody reads.
    static func report(_ message: String, hint: String? = nil) {
        var lines = [OneLine.of(message)]
        if let hint { lines.append(OneLine.of(hint)) }
        write(lines)
    }

    /// The same for a text that is laid out in lines, as an error with an excerpt of the filter is.
    static func report(rendered text: String) {
        write(text.split(separator: "\n", omittingEmptySubsequences: false).map { OneLine.of(String($0)) })
    }

    private static func write(_ lines: [String]) {
        if let sink = diversion.withLock({ $0 }) { return sink(lines.joined(separator: " ")) }
        let bytes = Array(("busctl-rx: " + lines.joined(separator: "\n") + "\n").utf8)
        StatusLine.givingWay { write(bytes) }
    }

    private static func write(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // If even this cannot be written, the failure cannot be reported.
            guard count > 0 else { return }
            written += count
        }
    }
}
