import Testing

@testable import Filter

@Suite("The parts of a text that a regular expression matches")
struct PatternMatchesTests {
    private func matches(_ pattern: String, _ text: [UInt8]) throws -> [Range<Int>] {
        let pattern = try #require(try SearchPattern.compile([pattern]).first)
        return text.withUnsafeBytes { Array(pattern.matches(in: $0)) }
    }

    private func matches(_ pattern: String, _ text: String) throws -> [String] {
        let text = Array(text.utf8)
        return try matches(pattern, text).map { String(decoding: text[$0], as: UTF8.self) }
    }

    @Test("from front to back, none of them empty")
    func order() throws {
        #expect(try matches("a+|c", "aabcaab") == ["aa", "c", "aa"])
        #expect(try matches("x*", "axxbx") == ["xx", "x"])
        #expect(try matches("x*", "öäü") == [])
        #expect(try matches("^a", "aaa") == ["a"])
        #expect(try matches("a$", "aaa") == ["a"])
        #expect(try matches(#"\bab\b"#, "abab ab") == ["ab"])
        #expect(try matches("a", "") == [])
    }

    @Test("whole characters, even if a pattern asks for bytes")
    func characters() throws {
        #expect(try matches(#"\C"#, "aé漢😀") == ["a", "é", "漢", "😀"])
        #expect(try matches(#"x\C"#, "xé") == ["xé"])
        // Bytes that are not text hide nothing after them.
        let broken: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x80, 0xC3, 0x61, 0xE2, 0x82]
        #expect(try matches("a", broken) == [6..<7])
        #expect(try matches(#"\C+"#, broken) == [0..<9])
    }

    @Test("a text of many matches is searched in linear time, and no match is lost")
    func many() throws {
        // RE2 can only take the second alternative after it knows that no b follows.
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)
        let found = try matches("a.*b|a", text)
        #expect(found.count == text.count)
        // A match that lies far away, and a long one, are found whether few or many matches need the whole text.
        for start in ["", String(repeating: "x", count: 1 << 14)] {
            let far = try matches("x|y[^x]*z", start + String(repeating: ".", count: 5000) + "y...z")
            #expect(far.count == start.count + 1 && far.last == "y...z")
        }
    }

    @Test("patterns share the limit of one expression, and the refused one is reported")
    func refusal() {
        for (patterns, index, reason) in [
            (["a", "(b"], 1, "missing ): (b"), (["a{1001}"], 0, "invalid repetition size: {1001}"),
            ([String](repeating: #"\pL{15}"#, count: 4), 2, "at most 2500 are accepted"),
        ] {
            do throws(SearchPattern.Refusal) {
                _ = try SearchPattern.compile(patterns)
                Issue.record("\(patterns) are accepted")
            } catch {
                #expect(error.index == index && error.reason.hasSuffix(reason), "\(error)")
            }
        }
    }
}
