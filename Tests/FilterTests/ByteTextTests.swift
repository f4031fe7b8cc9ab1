import TestSupport
import Testing

@testable import Filter

struct ByteTextTests {
    /// All texts of two letters, up to a length.
    private func texts(upTo length: Int) -> [[UInt8]] {
        var all: [[UInt8]] = [[]]
        var last = all
        for _ in 0..<length {
            last = last.flatMap { text in [UInt8(ascii: "a"), UInt8(ascii: "b")].map { text + [$0] } }
            all += last
        }
        return all
    }

    @Test("the last place of a part is found as by a check of every place")
    func lastOffset() {
        for text in texts(upTo: 8) {
            for part in texts(upTo: 5) {
                let expected =
                    part.count > text.count
                    ? nil
                    : (0...text.count - part.count).last { text[$0..<$0 + part.count].elementsEqual(part) }
                let found = text.withUnsafeBytes { text in
                    part.withUnsafeBytes { part in ByteText.lastOffset(of: part, in: text) }
                }
                #expect(found == expected, "\(part) in \(text)")
            }
        }
    }

    @Test("the first place of a part is found as by a check of every place, in texts of all lengths")
    func firstOffset() {
        var random = SeededGenerator(7)
        for _ in 0..<20_000 {
            // Of few letters, so that near matches are frequent.
            let letters = UInt8.random(in: 1...3, using: &random)
            func text(_ lengths: ClosedRange<Int>) -> [UInt8] {
                (0..<Int.random(in: lengths, using: &random)).map { _ in .random(in: 0..<letters, using: &random) }
            }
            let (whole, part) = (text(0...100), text(0...12))
            let expected =
                part.count > whole.count
                ? nil : (0...whole.count - part.count).first { whole[$0..<$0 + part.count].elementsEqual(part) }
            let found = whole.withUnsafeBytes { whole in
                part.withUnsafeBytes { part in ByteText.firstOffset(of: part, in: whole) }
            }
            #expect(found == expected, "\(part) in \(whole)")
        }
    }
}
