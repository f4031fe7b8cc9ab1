import Terminal
import Testing

@Suite("A canvas")
struct CanvasTests {
    @Test("has the text where it was written, and gives the column behind it")
    func written() {
        var canvas = Canvas(columns: 20, rows: 2)
        #expect(canvas.write("time", row: 1, column: 3, style: Style(isBold: true)) == 7)
        #expect(canvas.text(row: 0) == "" && canvas.text(row: 1) == "   time")
        #expect(canvas.style(row: 1, column: 6).isBold && canvas.style(row: 1, column: 7) == .plain)
    }

    @Test("clips at its edges and at a width, wherever the text begins")
    func clipped() {
        var canvas = Canvas(columns: 4, rows: 1)
        #expect(canvas.write("abcdef", row: 0, column: -2) == 4)
        #expect(canvas.text(row: 0) == "cdef")
        #expect(canvas.write("xyz", row: 0, column: 1, width: 2) == 3)
        #expect(canvas.text(row: 0) == "cxyf")
        #expect(canvas.write("z", row: 0, column: 0, width: -1) == 0)
        #expect(canvas.write("z", row: 0, column: .max) == .max)
        #expect(canvas.write("abc", row: 1, column: 0) == 3)
        #expect(canvas.write("abc", row: -1, column: .min) < 0)
        #expect(canvas.text(row: 0) == "cxyf" && canvas.text(row: 7) == "")
        canvas.paint(row: 0, columns: -3..<99, style: Style(isReversed: true))
        canvas.paint(row: 1, columns: 0..<1, style: Style(isReversed: true))
        #expect((0..<4).allSatisfy { canvas.style(row: 0, column: $0).isReversed })
        #expect(canvas.style(row: 0, column: 4) == .plain && canvas.text(row: 0) == "cxyf")
    }

    @Test("without cells takes text all the same", arguments: [(0, 0), (1, 0), (0, 1), (-1, -1)])
    func empty(columns: Int, rows: Int) {
        var canvas = Canvas(columns: columns, rows: rows)
        canvas.write("日a", row: 0, column: 0)
        #expect(canvas.text(row: 0) == "")
    }

    @Test("gives wide characters two columns, and never half of one")
    func wide() {
        var canvas = Canvas(columns: 6, rows: 1)
        #expect(canvas.write("日本語", row: 0, column: 0, width: 5) == 5)
        #expect(canvas.text(row: 0) == "日本")
        #expect(canvas.write("日", row: 0, column: -1) == 1)
        #expect(canvas.text(row: 0) == "  本")
        canvas.write("x", row: 0, column: 3)
        #expect(canvas.text(row: 0) == "   x")
        canvas.write("日", row: 0, column: 2)
        canvas.write("x", row: 0, column: 2)
        #expect(canvas.text(row: 0) == "  x")
        canvas.write("日", row: 0, column: 2)
        canvas.write("本", row: 0, column: 3)
        #expect(canvas.text(row: 0) == "   本")
        canvas.write("日", row: 0, column: 2)
        #expect(canvas.text(row: 0) == "  日")
    }

    @Test("a wide character that is cut off hides what was there before")
    func cutOff() {
        var canvas = Canvas(columns: 4, rows: 1)
        canvas.write("abcd", row: 0, column: 0)
        canvas.write("a日", row: 0, column: 0, width: 2)
        #expect(canvas.text(row: 0) == "a cd")
    }

    @Test(
        "keeps marks with their letter",
        arguments: [
            ("e\u{301}x", 2), ("\u{301}", 1), ("क्षि", 3), ("각", 2), ("👩‍👩‍👧x", 3), ("ש\u{5B0}\u{5BC}", 1), ("❤️", 1),
        ]
    )
    func marks(text: String, columns: Int) {
        var canvas = Canvas(columns: 20, rows: 1)
        #expect(canvas.write(text, row: 0, column: 0) == columns)
        canvas.write("|", row: 0, column: columns)
        #expect(
            canvas.text(row: 0).unicodeScalars.filter { $0 != "\u{25CC}" }.elementsEqual((text + "|").unicodeScalars)
        )
    }

    @Test(
        "makes visible what would control a terminal",
        arguments: [
            ("a\u{1B}[2Jb", "a␛[2Jb"), ("a\r\nb\nc\td", "a␍␊b␊c␉d"), ("\u{0}\u{7F}\u{9B}2J", "␀␡\u{FFFD}2J"),
            ("\u{202E}x\u{2066}", "\\u202Ex\\u2066"), ("\u{2028}\u{200B}\u{FEFF}", "\\u2028\\u200B\\uFEFF"),
            ("\u{E0001}", "\\U000E0001"),
        ]
    )
    func visible(text: String, shown: String) {
        var canvas = Canvas(columns: 30, rows: 1)
        #expect(canvas.write(text, row: 0, column: 0) == shown.count)
        #expect(canvas.text(row: 0) == shown)
    }

    @Test("takes no longer for a text that is far longer than the row")
    func long() {
        var canvas = Canvas(columns: 3, rows: 1)
        let endless = String(repeating: "日\u{301}", count: 1 << 20)
        for _ in 0..<10_000 { canvas.write(endless, row: 0, column: 0) }
        #expect(canvas.text(row: 0) == "日\u{301}")
    }

    @Test("changes into an equal one by the same writing")
    func equal() {
        var (one, other) = (Canvas(columns: 9, rows: 3), Canvas(columns: 9, rows: 3))
        one.write("日a", row: 1, column: 1)
        #expect(one != other)
        other.write("日a", row: 1, column: 1)
        #expect(one == other)
        other.cursor = Place(row: 0, column: 0)
        #expect(one != other)
    }
}
