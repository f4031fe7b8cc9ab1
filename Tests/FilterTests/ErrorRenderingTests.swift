import Testing

@testable import Filter

@Suite struct ErrorRenderingTests {
    private func caret(of expression: String) throws -> (line: String, carets: String) {
        let lines = try #require(refusal(of: expression)).split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 3)
        return (String(lines[1]), String(lines[2]))
    }

    @Test func `a tab before the place stays a tab below it`() throws {
        let (line, carets) = try caret(of: "\tunit == 'a' &&\tmesage == 'x'")
        #expect(line == "  \tunit == 'a' &&\tmesage == 'x'")
        #expect(carets == "  \t              \t^^^^^^")
    }

    @Test func `wide characters before the place take two columns, combining ones none`() throws {
        let (_, wide) = try caret(of: "unit == '日本' && mesage == 'x'")
        #expect(wide == "  " + String(repeating: " ", count: 18) + "^^^^^^")
        let (_, emoji) = try caret(of: "unit == '🐱' && mesage == 'x'")
        #expect(emoji == "  " + String(repeating: " ", count: 16) + "^^^^^^")
        let (_, combining) = try caret(of: "unit == 'e\u{301}' && mesage == 'x'")
        #expect(combining == "  " + String(repeating: " ", count: 15) + "^^^^^^")
    }

    @Test func `the column counts characters, the offset bytes`() throws {
        let error = #expect(throws: FilterError.self) { try compile("unit == '日本' && mesage == 'x'") }
        #expect(error?.line == 1)
        #expect(error?.column == 17)
        #expect(error?.offset == 20)
    }

    @Test func `only the line of the place is shown`() throws {
        #expect(
            refusal(of: "unit == 'a'\r\n  && mesage == 'x'\r\n  && pid == 1") == """
                line 2, column 6: there is no field mesage; did you mean message?
                    && mesage == 'x'
                       ^^^^^^
                """
        )
    }

    @Test func `a long line is shown around the place`() throws {
        let many = Array(repeating: "pid == 1", count: 50).joined(separator: " || ")
        let (line, carets) = try caret(of: "\(many) || mesage == 'x' || \(many)")
        #expect(line == "  … || pid == 1 || pid == 1 || pid == 1 || mesage == 'x' || pid == 1 || pid == 1 || pid =…")
        #expect(carets == "   " + String(repeating: " ", count: 40) + "^^^^^^")
    }

    @Test func `control characters are shown, not sent to the terminal`() throws {
        let (line, carets) = try caret(of: "unit == '\u{1B}[31m\u{202E}' && mesage == 'x'")
        #expect(line == #"  unit == '␛[31m\u202E' && mesage == 'x'"#)
        #expect(carets == "  " + String(repeating: " ", count: 25) + "^^^^^^")
        let quoted = try #require(refusal(of: "pid == '\u{1B}[31m'"))
        #expect(!quoted.unicodeScalars.contains("\u{1B}"))
    }

    /// Each is refused by another part of the compiler, with a message that quotes it.
    @Test(arguments: [
        "pid == 'X'", "message 'X'", "message == 'X", "'X'", "message.contains(3, 'X')", "pid in ['X']", "X",
        "message == X", "'\\X'", "message =~ '[X'", "has('X')", "fields('X') == []", "time.getHours('X') == 1",
        "timestamp('X') == time", "message == /X/", "message == *X*", "pid['X'] == 1", "{'X': 1, 'X': 2} == {}",
        "message `X`", "'%X'.format([]) == ''", "'%Y'.format([1]) == ''",
    ])
    func `no message sends a steering character to the terminal`(template: String) throws {
        let steering: [Unicode.Scalar] = [
            "\u{1B}", "\u{7}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{7F}", "\u{2028}",
        ]
        for scalar in steering {
            let text = template.replacing("X", with: "a\(Character(scalar))b")
                .replacing("Y", with: "\(Character(scalar))")
            let refused = try #require(refusal(of: text), "\(text.debugDescription)")
            #expect(!refused.unicodeScalars.contains(scalar), "\(refused.debugDescription)")
        }
    }

    @Test func `a message quotes whole characters of a format`() {
        #expect(refusal(of: "'%é'.format([1]) == ''")?.contains(": %é is no way to write a value") == true)
        #expect(refusal(of: "'%.3日x'.format([1]) == ''")?.contains(": %.3日 is no way to write a value") == true)
    }

    @Test func `a message is bounded, whatever the expression holds`() throws {
        let count = 99_990
        let parts = [
            "a", "1", "0", "\u{202E}", "e\u{301}\u{301}", "\u{301}", "日", "/", "*", "(", "'", "=", "a ", "a.", "\n",
            "\u{1B}", "👨‍👩‍👧‍👦", "\\", "\"", "2026-01-01", "1e", "0x", "`",
        ]
        for part in parts {
            let garbage = String(repeating: part, count: count / part.unicodeScalars.count)
            for text in [garbage, "message == \(garbage)", "message == '\(garbage)", "pid == '\(garbage)'"] {
                let length = refusal(of: text)?.unicodeScalars.count ?? 0
                #expect(length < 3_000, "\(part.debugDescription)")
            }
        }
    }

    @Test(arguments: [
        ("prioritty", "priority"), ("PRIORTY", "PRIORITY"), ("messgae", "message"), ("Message", "message"),
        ("uint2", nil), ("x", nil),
        ("crti", "crit"), ("_SYSTEMD_UNTI", "_SYSTEMD_UNIT"), ("identifer", "identifier"),
    ])
    func `the nearest name is suggested`(misspelt: String, expected: String?) {
        let names = JournalSchema().knownNames + JournalSchema().constants.keys.sorted()
        #expect(Spelling.nearest(to: misspelt, among: names) == expected)
    }
}
