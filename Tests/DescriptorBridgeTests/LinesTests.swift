import Bus
import BusTesting
import Testing

@testable import DescriptorBridge

@Suite("Lines")
struct LinesTests {
    private func lines(_ pieces: [[UInt8]], limit: Int = 65_536, longLines: LongLines = .split) -> [String] {
        Recorder(Signals.from(pieces).lines(lineLimit: limit, longLines: longLines)).values
    }

    private func lines(_ pieces: String..., limit: Int = 65_536, longLines: LongLines = .split) -> [String] {
        lines(pieces.map { Array($0.utf8) }, limit: limit, longLines: longLines)
    }

    @Test("line feeds end lines, a carriage return before one is removed, and any remainder is a line")
    func simple() {
        #expect(lines("a\nb\r\n\nc") == ["a", "b", "", "c"])
        #expect(lines("a\n") == ["a"])
        #expect(lines("") == [])
        #expect(lines("a", "b\nc", "\r", "\n") == ["ab", "c"])
        #expect(lines("a\rb\n") == ["a\rb"])
    }

    @Test("invalid UTF-8 is repaired")
    func repaired() {
        #expect(lines([[0x61, 0xFF, 10]]) == ["a\u{FFFD}"])
    }

    @Test("as bytes they are as they were")
    func bytes() {
        let recorder = Recorder(Signals.from([[0x61, 0xFF], [10, 13, 10, 0x80]]).lines(ofBytes: 64))
        #expect(recorder.values.map(\.bytes) == [[0x61, 0xFF], [], [0x80]])
    }

    @Test("a long line is split between characters, or cut")
    func long() {
        #expect(lines("abcdefghij\nk\n", limit: 4) == ["abcd", "efgh", "ij", "k"])
        #expect(lines("abcdefgh\nk\n", limit: 4) == ["abcd", "efgh", "k"])
        #expect(lines("abcdefghij\nk\n", limit: 4, longLines: .truncate) == ["abcd", "k"])
        #expect(lines("abc", "def", "ghij", "\nk", limit: 4, longLines: .truncate) == ["abcd", "k"])
        #expect(lines("abcüdef\n", limit: 4) == ["abc", "üde", "f"])
        #expect(lines([Array(repeating: 0x80, count: 9) + [10]], limit: 4).joined().unicodeScalars.count == 9)
        // Looks like a character that is longer than any.
        #expect(lines([[0xC3] + Array(repeating: 0xBC, count: 5) + [10]], limit: 4).count == 2)
    }

    @Test("as bytes, the pieces of a long line are told apart from lines")
    func pieces() {
        #expect(
            marked("abcd\nabcdefgh\nk\nabcde\nk\nabcde")
                == ["abcd", "abcd-", "-efgh", "k", "abcd-", "-e", "k", "abcd-", "-e"]
        )
    }

    /// The lines of at most four bytes, with a dash where one is continued.
    private func marked(_ pieces: String...) -> [String] {
        Recorder(Signals.from(pieces.map { Array($0.utf8) }).lines(ofBytes: 4)).values.map { line in
            (line.isRest ? "-" : "") + String(decoding: line.bytes, as: UTF8.self) + (line.isContinued ? "-" : "")
        }
    }

    @Test("a line as long as the limit may end with a carriage return and a line feed")
    func longestWithReturn() {
        #expect(marked("abcd\r\nk\n") == ["abcd", "k"])
        #expect(marked("abcd\r", "\nk\n") == ["abcd", "k"])
        #expect(marked("abcd", "\r", "\n") == ["abcd"])
        #expect(marked("abcdefgh\r\nk") == ["abcd-", "-efgh", "k"])
        #expect(marked("abcd\r", "x\n") == ["abcd-", "-\rx"])
        #expect(marked("abcd\rx\r\n") == ["abcd-", "-\rx"])
        #expect(marked("abcd\r") == ["abcd-", "-\r"])
        #expect(lines("abcd\r\nabcd\rx\nk", limit: 4, longLines: .truncate) == ["abcd", "abcd", "k"])
    }

    @Test("the last two pieces wait for an observer that pauses after the first")
    func lastPiecesWait() {
        let recorder = PausingRecorder(Signals.from([Array("abcd\r".utf8)]).lines(ofBytes: 4), after: 1)
        #expect(recorder.valueCount == 1 && !recorder.hasEnded)
        recorder.release()
        #expect(recorder.values.map(\.bytes) == [Array("abcd".utf8), [13]] && recorder.hasEnded)
    }

    @Test("of a piece without a line feed, no more is kept than a line may have")
    func kept() {
        let piece = [UInt8](repeating: 0x61, count: 100_000) + [10, 0x62, 10]
        for longLines in [LongLines.split, .truncate] {
            var splitting = LineSplitting(limit: 16, longLines: longLines)
            var (position, counts, kept) = (0, [Int](), 0)
            piece.withUnsafeBufferPointer { bytes in
                while let line: LineBytes = splitting.next(in: bytes, from: &position) {
                    counts.append(line.bytes.count)
                    kept = max(kept, splitting.rest.count)
                }
            }
            #expect(kept <= 17)
            #expect(counts == (longLines == .split ? Array(repeating: 16, count: 6250) : [16]) + [1])
        }
    }

    @Test("the lines of a text do not depend on how it is split into pieces")
    func anyPieces() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let text = String((0..<200).map { _ in "ab\n\r€".randomElement(using: &random) ?? "a" })
            let whole = lines([Array(text.utf8)], limit: 16)
            var pieces: [[UInt8]] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...7, using: &random)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(lines(pieces, limit: 16) == whole, "\(text.debugDescription)")
        }
    }

    @Test("keeps the contract")
    func contract() {
        let check = ContractCheck("lines") { sources in
            sources[0].map { Array("\($0)\n".utf8) }.lines()
        }
        #expect(check.violations() == [])
    }
}
