import Bus
import Filter

/// Text that takes the place of the text before it on a terminal.
final class RedrawnText: Sendable {
    /// A terminal's size.
    struct Size: Equatable {
        var columns: Int
        var rows: Int

        /// That of the terminal of standard output.
        static var now: Size {
            Size(columns: StandardDescriptors.outputWidth ?? 80, rows: StandardDescriptors.outputHeight ?? 24)
        }

        /// How many lines can be drawn: below them stands the cursor.
        var lines: Int { max(2, rows - 1) }
    }

    /// How many lines of the terminal the last text took, and the size that it had then.
    private let drawn = Lock<(lines: Int, size: Size)?>(nil)
    private let showsBeginning: Bool

    /// - Parameter showsBeginning: whether to show the beginning of a text that is too long for the terminal, instead
    ///   of its end.
    init(showsBeginning: Bool = false) {
        self.showsBeginning = showsBeginning
    }

    /// The text to write in place of the previous one: as many lines as the terminal has, and of each as much as has room. The terminal
    /// cuts those that it finds wider, which would otherwise take several of its lines (DECAWM, autowrap mode).
    func replacing(with whole: String, on size: Size = .now) -> [UInt8] {
        let all = whole.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let lines = (showsBeginning ? all.prefix(size.lines) : all.suffix(size.lines)).map { line in
            line.prefix(DisplayWidth.count(in: line, within: size.columns))
        }
        let before = erasure(on: size)
        drawn.withLock { $0 = (lines.count, size) }
        let text = "\u{1B}[?7l" + lines.map { "\($0)\n" }.joined() + "\u{1B}[?7h"
        return Array(((before.isEmpty ? "\u{1B}[J" : before) + text).utf8)
    }

    /// The sequence that erases the text. A terminal that has another size since may have broken its lines anew, or have moved them: then all
    /// of the terminal is erased. The cursor is not in the first column where a key was shown.
    func erasure(on size: Size = .now) -> String {
        guard let drawn = drawn.withLock({ $0 }), drawn.lines > 0 else { return "" }
        return (drawn.size == size ? "\r\u{1B}[\(drawn.lines)A" : "\u{1B}[H") + "\u{1B}[J"
    }
}
