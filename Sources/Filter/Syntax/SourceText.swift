/// The expression as it was written, kept as the bytes that ranges count.
struct SourceText: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func text(_ range: SourceRange) -> String {
        String(decoding: bytes[range.lower..<range.upper], as: UTF8.self)
    }

    /// The part for a message: one line, at most 40 characters, none of which controls a terminal.
    ///
    /// It takes as long for any part: a message may quote one part within another, each as long as the expression.
    func shortened(_ range: SourceRange) -> String {
        let shown = beginning(of: range)
        let text = DisplayWidth.shortened(text(shown))
        return shown == range || text.hasSuffix("…") ? text : text + "…"
    }

    /// More bytes than the characters have that a message shows of a part.
    private static let shownBytes = 2048

    /// As much of the range from its beginning as a message shows, whole code points.
    func beginning(of range: SourceRange) -> SourceRange {
        guard range.upper - range.lower > Self.shownBytes else { return range }
        var upper = range.lower + Self.shownBytes
        while upper > range.lower, bytes[upper] & 0xC0 == 0x80 { upper -= 1 }
        return SourceRange(range.lower, upper)
    }

    /// The same, from its end.
    func end(of range: SourceRange) -> SourceRange {
        guard range.upper - range.lower > Self.shownBytes else { return range }
        var lower = range.upper - Self.shownBytes
        while lower < range.upper, bytes[lower] & 0xC0 == 0x80 { lower += 1 }
        return SourceRange(lower, range.upper)
    }

    /// The line that holds the offset, without its line break.
    func line(at offset: Int) -> SourceRange {
        var lower = min(offset, bytes.count)
        while lower > 0, !Self.endsLine(bytes[lower - 1]) { lower -= 1 }
        var upper = min(offset, bytes.count)
        while upper < bytes.count, !Self.endsLine(bytes[upper]) { upper += 1 }
        return SourceRange(lower, upper)
    }

    /// 1-based. CR LF counts as one line break.
    func lineNumber(at offset: Int) -> Int {
        var number = 1
        for index in 0..<min(offset, bytes.count) {
            let isFirstOfPair = bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
            if Self.endsLine(bytes[index]), !isFirstOfPair { number += 1 }
        }
        return number
    }

    /// 1-based, in characters as a reader counts them.
    func column(at offset: Int) -> Int {
        text(SourceRange(line(at: offset).lower, min(offset, bytes.count))).count + 1
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D
    }
}
