import Records
import TestSupport
import Testing

/// Marks each run of z and of tabs, in messages and fields. In messages it also marks each Q.
private struct Marker: TextMarker {
    func parts(of text: UnsafeRawBufferPointer, isMessage: Bool) -> [Range<Int>] {
        let isMarked = { (byte: UInt8) in byte == 0x7A || byte == 0x09 || isMessage && byte == 0x51 }
        return text.indices.filter { isMarked(text[$0]) }.reduce(into: []) { parts, index in
            if let last = parts.last, last.upperBound == index {
                parts[parts.count - 1] = last.lowerBound..<(index + 1)
            } else {
                parts.append(index..<(index + 1))
            }
        }
    }
}

@Suite("Marks in output")
struct MarkedTextTests {
    private static let start = "\u{1B}[0;1;31m"
    private static let end = "\u{1B}[0m"
    private let indent = String(repeating: " ", count: "Jan 01 00:00:00 web: ".count)

    private func text(
        _ format: RecordFormat,
        _ fields: RecordFields,
        terminal: Bool = false,
        colors: Bool = false,
        marks: Bool = true,
        source: String = "web"
    ) -> [UInt8] {
        var style = RecordStyle(format)
        style.isUTC = true
        style.isForTerminal = terminal
        style.hasColors = colors
        var aids = ReadingAids()
        if marks { aids.marker = Marker() }
        var writer = RecordWriter(style, aids)
        var output = OutputBuffer()
        writer.write(Record(source: source, time: 0, sequence: 1, content: fields), to: &output)
        return output.withBytes { Array($0) }
    }

    /// The text with `<` and `>` in place of the sequences that begin and end a mark.
    private func message(
        _ message: String,
        _ format: RecordFormat = .message,
        terminal: Bool = false,
        source: String = "web"
    ) -> String {
        let text = text(format, RecordFields(message: message), terminal: terminal, source: source)
        return String(decoding: text, as: UTF8.self)
            .replacing(Self.start, with: "<").replacing(Self.end, with: ">")
    }

    @Test("the colour around a mark continues after it, and the mark looks different from it")
    func colors() {
        for (severity, color, look) in [
            (Severity.error, "\u{1B}[0;1;31m", "\u{1B}[0;1;39m"),
            (.warning, "\u{1B}[0;1;38;5;185m", "\u{1B}[0;1;39m"), (.notice, "\u{1B}[0;1;39m", Self.start),
            (.debug, "\u{1B}[0;38;5;245m", Self.start),
        ] {
            let fields = RecordFields(message: "azb", severity: severity)
            let line = String(decoding: text(.line(.classic), fields, colors: true, source: "x"), as: UTF8.self)
            #expect(line.hasSuffix(": \(color)a\(look)z\(color)b\(Self.end)\n"), "\(line.debugDescription)")
        }
        let line = text(.line(.classic), RecordFields(message: "a"), colors: true, source: "xzy")
        let source = String(decoding: line.dropFirst("Jan 01 00:00:00 ".utf8.count), as: UTF8.self)
        let color = source.prefix { $0 != "m" } + "m"
        #expect(source == "\(color)x\(Self.start)z\(Self.end)\(color)y\(Self.end): a\n")
    }

    @Test("further lines stand below the first, and no mark extends over the end of a line")
    func lines() {
        func line(_ first: String, _ others: String..., source: String = "web") -> String {
            let indent = String(repeating: " ", count: "Jan 01 00:00:00 : ".count + source.count)
            let head = "Jan 01 00:00:00 \(source == "zz" ? "<zz>" : source): "
            return "\(head)\(first)\n" + others.map { "\(indent)\($0)\n" }.joined()
        }
        #expect(message("az\nzb\nc", .line(.classic)) == line("a<z>", "<z>b", "c"))
        #expect(message("z\n\nzz\n", .line(.classic)) == line("<z>", "", "<zz>"))
        #expect(message("a\nb", .line(.classic), source: "zz") == line("a", "b", source: "zz"))
        #expect(message("z\tz\n\tz") == "<z\tz>\n<\tz>\n")
    }

    @Test("omitted or replaced characters do not shift marks")
    func changes() {
        #expect(message("a\tz", .line(.classic)).hasSuffix(": a<        z>\n"))
        #expect(message("\u{1B}[31maz\u{1B}[0mz\r\nz", .line(.classic)).hasSuffix(": a<z><z>\n\(indent)<z>\n"))
        #expect(message("\u{1B}[3zmz", .line(.classic), terminal: true).hasSuffix(#": \x1b[3<z>m<z>"# + "\n"))
        #expect(
            message("\u{202E}z\u{1B}[2Jz", .line(.classic), terminal: true).hasSuffix(#": \u202e<z>\x1b[2J<z>"# + "\n")
        )
        #expect(message("\tz\u{9B}z", terminal: true) == "<\tz>\\u009b<z>\n")
    }

    @Test("sequences in the text are not cut, and its colours continue after a mark")
    func ownColors() {
        let red = "\u{1B}[31m"
        #expect(message("\(red)azb\u{1B}[mz") == "\(red)a<z>\(red)b\u{1B}[m<z>\u{1B}[m\n")
        // A title that a terminal would accept, with marks inside it.
        #expect(message("z\u{1B}]0;zz\u{7}z") == "<z>\u{1B}]0;zz\u{7}<z>\n")
        #expect(message("\u{1B}[1;3zz") == "\u{1B}[1;3z<z>\n")
        #expect(message("\u{1B}") == "\u{1B}\n" && message("z\u{1B}[") == "<z>\u{1B}[\n")
    }

    @Test("a message has the marks of a search in messages, whatever shows it")
    func subjects() throws {
        let fields = RecordFields(message: "Qz", ["MESSAGE": .text("Qz"), "other": .text("Qzz")])
        let template = try RecordTemplate("{message} {MESSAGE} {other} Qz {none|zz}")
        for (format, expected) in [
            (RecordFormat.template(template), "<Qz> <Qz> Q<zz> Qz <zz>\n"),
            (.verbose, "web #1\n    message: <Qz>\n    MESSAGE=<Qz>\n    other=Q<zz>\n"),
        ] {
            let shown = String(decoding: text(format, fields), as: UTF8.self)
                .replacing(Self.start, with: "<").replacing(Self.end, with: ">")
            #expect(shown.hasSuffix(expected), "\(shown)")
        }
    }

    @Test("a marked source is made visible once")
    func source() {
        let text = message("a", .verbose, terminal: true, source: "zz\u{1B}")
        #expect(text.hasSuffix(#" <zz>\x1b #1"# + "\n    message: a\n"), "\(text)")
    }

    @Test("without marks the text is unchanged, and everything to be marked is marked")
    func model() throws {
        let pieces: [[UInt8]] = [
            [0x7A], [0x7A, 0x7A], [0x61], [0x09], [0x0A], [0x0D], [0x0D, 0x0A], Array("é".utf8), Array("漢".utf8),
            Array("\u{202E}".utf8), Array("\u{9B}".utf8), [0x1B], Array("\u{1B}[32m".utf8), Array("\u{1B}[2".utf8),
            Array("\u{1B}]0;z".utf8), [0x07], [0x80], [0xE2, 0x82], [0xFF], [0x00], [0x6D], [0x20],
        ]
        let template = try RecordTemplate("{message}|{field}\t{time:iso}\n.")
        var random = SeededGenerator(7)
        for _ in 0..<2000 {
            // Most texts consist of the first few pieces, because others are shown as their size.
            let kinds = random.pick([8, 12, 20, pieces.count])
            let bytes = (0..<random.number(0..<12)).flatMap { _ in pieces[random.number(0..<kinds)] }
            var builder = FieldStorage.Builder()
            builder.setMessage(bytes)
            builder.append(Array("field".utf8), .bytes(bytes))
            let fields = RecordFields(builder, severity: nil)
            for format in [RecordFormat.line(.iso), .message, .verbose, .template(template)] {
                for terminal in [false, true] {
                    let plain = text(format, fields, terminal: terminal, marks: false)
                    let marked = text(format, fields, terminal: terminal)
                    try #require(Self.withoutColors(marked) == Self.withoutColors(plain), "\(format) \(bytes)")
                    if terminal { try #require(Self.isMarkedRight(marked), "\(format) \(bytes) \(marked)") }
                }
            }
        }
    }

    private static func withoutColors(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            let body = rest.dropFirst(2).drop { (0x30...0x39).contains($0) || $0 == 0x3B }
            if byte == 0x1B, rest.dropFirst().first == 0x5B, body.first == 0x6D {
                rest = body.dropFirst()
            } else {
                plain.append(byte)
                rest.removeFirst()
            }
        }
        return plain
    }

    /// Whether each z is marked, and otherwise only tabs, in whichever form.
    private static func isMarkedRight(_ text: [UInt8]) -> Bool {
        var isMarked = false
        var rest = text[...]
        while !rest.isEmpty {
            if rest.starts(with: start.utf8) {
                isMarked = true
                rest = rest.dropFirst(start.utf8.count)
            } else if rest.starts(with: end.utf8) {
                isMarked = false
                rest = rest.dropFirst(end.utf8.count)
            } else {
                guard let byte = rest.popFirst(),
                    isMarked ? #"z\x09 "#.utf8.contains(byte) || byte == 0x09 : byte != 0x7A
                else {
                    return false
                }
            }
        }
        return !isMarked
    }
}
