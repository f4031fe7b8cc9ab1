import Bus

/// Text that takes the place of the text before it on a terminal.
final class RedrawnText: Sendable {
    /// How many lines of the terminal the last text took.
    private let drawn = Lock(0)
    private let showsBeginning: Bool

    /// - Parameter showsBeginning: whether to show the beginning of a text that is too long for the terminal, instead
    ///   of its end.
    init(showsBeginning: Bool = false) {
        self.showsBeginning = showsBeginning
    }

    /// The text to write in place of the previous one: as many lines as the terminal has. What is too wide is cut by the terminal, which
    /// would otherwise use several of its lines for it (DECAWM, autowrap mode).
    func replacing(with whole: String) -> [UInt8] {
        let height = max(2, (StandardDescriptors.outputHeight ?? 24) - 1)
        let all = whole.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let lines = showsBeginning ? all.prefix(height) : all.suffix(height)
        let before = drawn.withLock { drawn in
            defer { drawn = lines.count }
            return drawn
        }
        let up = before > 0 ? "\u{1B}[\(before)A" : ""
        return Array((up + "\u{1B}[J\u{1B}[?7l" + lines.map { "\($0)\n" }.joined() + "\u{1B}[?7h").utf8)
    }

    /// The sequence that erases the text.
    var erasure: String {
        let lines = drawn.withLock { $0 }
        return lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : ""
    }
}
