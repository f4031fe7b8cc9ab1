/// The parts of a text that a regular expression matches.
///
/// All of them together are found in time linear in the text. To prefer a long match, RE2 may have to look at the
/// whole rest, only to return a short one, as for `a.*b|a` where no b follows. So only the first searches look at the
/// whole rest. The others look at 1 KiB, and at twice as much until they find a match. A longer match may then be
/// found in pieces, or not at all.
package struct PatternMatches: Sequence, IteratorProtocol {
    private let expression: RegularExpression
    private let text: UnsafeRawBufferPointer
    private var position = 0
    /// How many bytes the searches of the whole rest may look at.
    private var allowance = 1 << 20
    private static let window = 1024

    init(_ expression: RegularExpression, _ text: UnsafeRawBufferPointer) {
        self.expression = expression
        self.text = text
    }

    package mutating func next() -> Range<Int>? {
        while position < text.count {
            guard let match = search() else {
                position = text.count
                return nil
            }
            guard match.isEmpty else {
                position = end(ofCharacterBefore: match.upperBound)
                return start(ofCharacterAt: match.lowerBound)..<position
            }
            position = end(ofCharacterBefore: match.upperBound + 1)
        }
        return nil
    }

    private mutating func search() -> Range<Int>? {
        let rest = text.count - position
        var length = allowance > 0 ? rest : Swift.min(rest, Self.window)
        allowance -= length
        while true {
            if let match = expression.firstMatch(in: text, within: position..<(position + length)) { return match }
            if length == rest { return nil }
            length = Swift.min(rest, 2 * length)
        }
    }

    // A pattern may ask for single bytes, with \C. A character has at most three bytes behind its first one.

    private func start(ofCharacterAt index: Int) -> Int {
        let start = (Swift.max(0, index - 3)...index).last { !isInside($0) }
        return start ?? index
    }

    private func end(ofCharacterBefore index: Int) -> Int {
        let bound = Swift.min(text.count, index + 3)
        guard index < bound else { return Swift.min(index, text.count) }
        return (index..<bound).first { !isInside($0) } ?? bound
    }

    private func isInside(_ index: Int) -> Bool { text[index] & 0xC0 == 0x80 }
}
