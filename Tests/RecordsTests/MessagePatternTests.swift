import Records
import TestSupport
import Testing

@Suite("Patterns of messages")
struct MessagePatternTests {
    private func pattern(_ message: [UInt8]) -> String { message.withUnsafeBytes { MessagePattern.text(of: $0) } }

    private func pattern(_ message: String) -> String { pattern(Array(message.utf8)) }

    @Test(
        "what varies is masked",
        arguments: [
            // Numbers, with signs and units.
            ("took 677ms, 64172MB of 1.5e-3", "took <*> of <*>"), ("err=-16020 (+5) -x", "err=<*> (<*>) -x"),
            ("mask 0x1F, 1,234 5%", "mask <*>%"), ("after 1.5µs or 20μs", "after <*> or <*>"), ("90°", "<*>°"),
            // Words with digits, and what is tied to them.
            ("svc73: sda1 failed", "<*> failed"),
            ("node web-1.example.org failed", "node <*> failed"),
            ("user@1000.service: Deactivated", "<*>: Deactivated"),
            ("mail from joe@example.com", "mail from <*>"),
            ("read/write systemd-logind.service kernel.core_uses_pid", nil),
            ("[Thunderbird_C6] is_b", "[<*>] is_b"), ("foo- 5", "foo- <*>"), ("foo-", nil),
            // Ids and addresses.
            ("[instance: 78dc1847-8848-49cc-933e-9239b12c9dcf] up", "[instance: <*>] up"),
            ("from 10.0.3.7:22 port 51514", "from <*> port <*>"),
            ("at fe80::c6b3:1ff:fecd:467f%eth0", "at <*>"), ("on [::1]:80", "on [<*>]:<*>"),
            ("on [::ffff:10.0.0.1]", "on [<*>]"),
            ("fe80::1: gone", "<*>: gone"), ("mac aa:bb:cc:dd:ee:ff", "mac <*>"),
            ("mac 0a:1b:2c:3d:4e:5f.", "mac <*>."),
            ("a::b std::map add:bed:face", nil), ("aa:bb:cc:dd:ee:ffx", nil),
            // Dates and times.
            ("at Sat Jun 25 19:25:30 2005", "at <*>"), ("Mon, 02 Jan 2006 15:04:05 GMT", "<*> GMT"),
            ("[16/May/2017:13:55:31 +0000]", "[<*>]"), ("2017-05-16T00:02:07.403Z x", "<*> x"),
            ("in May they sat", nil), ("Sun 5, Monitor 5", "<*>, Monitor <*>"),
            // Paths and URLs.
            ("open /etc/passwd: denied", "open <*>: denied"), ("(/usr/lib/a.c) ./b ~/c / //", "(<*>) .<*> / //"),
            ("see https://example.org/a?b=c#d.", "see <*>."), ("unix:///run/x", "<*>"), ("http://", nil),
            ("in /home/jürgen/x", "in <*>"),
            // Quotes.
            ("unit \"foo\" of 'bar', `x` ‘y’ “z”", "unit \"<*>\" of '<*>', `<*>` ‘<*>’ “<*>”"),
            ("can't stop \"it's\"", "can't stop \"<*>\""),
            ("msg=\"could not start\" n=\"\"", "msg=\"could not start\" n=\"<*>\""),
            ("\"GET /a/b HTTP/1.1\" 200", "\"GET <*>\" <*>"),
            ("\"5 6\" \"(5 6)\" \"x 5\"", "\"<*>\" \"<*>\" \"x <*>\""),
            ("('a','b')", "('<*>','<*>')"), ("'open", nil), ("‘x’y", nil),
            // Joined masks, and spaces.
            ("flags: 1 2, 3; 4", "flags: <*>"), ("0x0 - 0x9f (usable)", "<*> (usable)"),
            ("1 (2) = 3", "<*> (<*>) = <*>"),
            ("  a\t b  ", "a b"), ("\n\nfirst 1\nsecond", "first <*>"), ("a\r\nb", "a"),
            ("\u{1B}[31mred\u{1B}[0m x\u{1B}", "red x"),
            ("", ""), (" \n", ""), ("5", "<*>"), ("<*> a", nil),
            // Other alphabets.
            ("用户123登录 失败", "用户<*>登录 失败"), ("Иванов вошёл", nil),
        ] as [(String, String?)]
    )
    func masks(message: String, expected: String?) {
        #expect(pattern(message) == expected ?? message)
    }

    @Test("bytes that are not UTF-8 are replaced")
    func notText() {
        #expect(pattern([0x61, 0xFF, 0x62, 0xE2, 0x80]) == "a\u{FFFD}b\u{FFFD}\u{FFFD}")
    }

    @Test("a long pattern is cut after a whole word")
    func long() {
        let words = pattern(String(repeating: "word ", count: 200))
        #expect(words.utf8.count <= MessagePattern.maxLength)
        #expect(words.hasSuffix("word …"))
        #expect(pattern(String(repeating: "x", count: 5_000)) == "…")
        #expect(pattern("see /" + String(repeating: "x", count: 4_000)) == "see <*>")
        #expect(pattern("see /" + String(repeating: "x", count: 5_000)) == "see …")
        // The cut must not make an address of words that are none.
        let cut = pattern(String(repeating: "€", count: 162) + "!!ab:cd:ef:ab:cd:ef:ab::x")
        #expect(cut == String(repeating: "€", count: 162) + "!!…")
        #expect(pattern(cut) == cut)
    }

    @Test("the pattern of any bytes is bounded, and its own pattern")
    func random() {
        let pieces = [
            "a", "foo", "5", "-", "--", "+", "/", "//", ":", "::", "://", "http", ".", "@", "'", "\"", "`", "‘", "’",
            "“", "”",
            "<*>", "<", "*", ">", " ", "  ", "\n", "\t", "Jan ", "Sat, ", "May", "ab:cd:", "ff:", "µ", "5µs", "用户", "é",
            "…",
            "(", ")", "[", "]", ",", ";", "=", "\\", "%", "\u{1B}[31m", "\u{1B}", "x5", "/usr/lib", "~", "#",
            "10.0.0.1", "_",
        ].map { Array($0.utf8) }
        var random = SeededGenerator(45)
        for round in 0..<Stress.rounds(5_000, stress: 1_000_000) {
            let count = random.number(0..<(round % 50 == 0 ? 2_500 : 24))
            var message = (0..<count).flatMap { _ in random.chance(5) ? random.bytes(1) : random.pick(pieces) }
            if round % 100 == 0 { message.removeAll { $0 <= 0x20 } }
            let text = pattern(message)
            #expect(text.utf8.count <= MessagePattern.maxLength, "\(message)")
            #expect(pattern(text) == text, "\(message)")
        }
    }

    @Test("records have the pattern of their message, or a field of that name")
    func field() throws {
        let path = try FieldPath("pattern")
        func text(_ content: RecordFields) -> String? {
            Record(source: "a", time: 0, sequence: 1, content: content).text(of: path)
        }
        #expect(text(RecordFields(message: "took 5 ms")) == "took <*> ms")
        #expect(text(RecordFields(message: "took 5 ms", ["pattern": .text("own 5")])) == "own 5")
        #expect(text(RecordFields(["other": .int(1)])) == nil)
    }

    @Test("counts by pattern of parts add up")
    func counts() throws {
        let grouping = RecordGrouping(fields: [try FieldPath("pattern")])
        let records = (0..<10).map { number in
            let message = number % 2 == 0 ? "took \(number) ms" : "unit u\(number) failed"
            return Record(source: "a", time: 0, sequence: 1, content: RecordFields(message: message))
        }
        var whole = RecordCounts()
        var parts = [RecordCounts(), RecordCounts()]
        for (index, record) in records.enumerated() {
            whole.add(record, in: grouping)
            parts[index % 3 == 0 ? 0 : 1].add(record, in: grouping)
        }
        var sum = RecordCounts()
        for part in parts { for row in part.rows { sum.add(row.count, of: row.key) } }
        #expect(sum.counts == whole.counts)
        #expect(whole.rows.map(\.key.values) == [["took <*> ms"], ["unit <*> failed"]])
    }
}
