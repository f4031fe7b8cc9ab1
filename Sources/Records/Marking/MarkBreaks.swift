/// The parts of a text that a mark must not contain: the mark ends before such a part, and begins again after it.
enum MarkBreaks {
    /// The parts without line feeds and, where the text is written as it is, without its control sequences.
    static func cut(_ parts: [Range<Int>], of text: UnsafeRawBufferPointer, atSequences: Bool) -> [Range<Int>] {
        let isBreak = { (byte: UInt8) in byte == 0x0A || atSequences && byte == 0x1B }
        guard let first = text.firstIndex(where: isBreak) else { return parts }
        var breaks = Breaks(text: text, first: first, isBreak: isBreak)
        return parts.flatMap { breaks.cut($0) }
    }

    private struct Breaks {
        let text: UnsafeRawBufferPointer
        let isBreak: (UInt8) -> Bool
        /// The next part that does not end before a place; empty, at the end of the text, after the last one.
        private var next: Range<Int>

        init(text: UnsafeRawBufferPointer, first: Int, isBreak: @escaping (UInt8) -> Bool) {
            self.text = text
            self.isBreak = isBreak
            next = first..<first
            next = breaking(from: first)
        }

        mutating func cut(_ part: Range<Int>) -> [Range<Int>] {
            var pieces: [Range<Int>] = []
            var start = part.lowerBound
            while next.lowerBound < part.upperBound {
                if next.lowerBound > start { pieces.append(start..<next.lowerBound) }
                start = max(start, next.upperBound)
                guard next.upperBound <= part.upperBound else { break }
                next = breaking(from: next.upperBound)
            }
            if start < part.upperBound { pieces.append(start..<part.upperBound) }
            return pieces
        }

        private func breaking(from index: Int) -> Range<Int> {
            guard let start = text[index...].firstIndex(where: isBreak) else { return text.count..<text.count }
            return start..<(text[start] == 0x1B ? ControlSequence.end(in: text, from: start) : start + 1)
        }
    }
}
