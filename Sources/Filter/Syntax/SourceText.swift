/// The expression as it was written, kept as the bytes that ranges count.
struct SourceText: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func text(_ range: SourceRange) -> String {
        String(decoding: bytes[range.lower..<range.upper], as: UTF8.self)
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
