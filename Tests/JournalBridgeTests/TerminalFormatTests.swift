import Testing

@testable import JournalBridge
import Records

@Suite("Entries on a terminal")
struct TerminalFormatTests {
    private static let attack = "a\u{1B}[2Jb\rc\u{8}\u{7F}d\u{9B}e\u{202E}f\u{2028}g\u{2066}h"
    private static let shown = #"a\x1b[2Jb\x0dc\x08\x7fd\u009be\u202ef\u2028g\u2066h"#

    private func entry(_ fields: [(String, [UInt8])]) throws -> JournalEntry {
        let bytes = fields.flatMap { ReadExport.binary($0.0, $0.1) } + Array("__REALTIME_TIMESTAMP=1\n\n".utf8)
        return try #require(try ReadExport(bytes).entries.first)
    }

    private func text(_ entry: JournalEntry, _ format: JournalFormat, terminal: Bool) -> [UInt8] {
        var output = OutputBuffer()
        var formatter = JournalFormatter(format, forTerminal: terminal)
        formatter.format(entry, into: &output)
        return output.withBytes { Array($0) }
    }

    private func line(_ message: [UInt8], _ format: JournalFormat, terminal: Bool = true) throws -> String {
        let line = text(try entry([("MESSAGE", message)]), format, terminal: terminal)
        return String(decoding: line, as: UTF8.self).replacing(#/^.{15} unknown: /#, with: "")
    }

    @Test("control sequences, and characters that change the writing direction, are visible in a message")
    func messages() throws {
        #expect(try line(Array(Self.attack.utf8), .cat) == Self.shown + "\n")
        #expect(try line(Array(Self.attack.utf8), .short) == Self.shown + "\n")
        // Text, also in other scripts, is unchanged.
        let text = "é 漢 😀 שלום\u{200D}a\\x1b"
        #expect(try line(Array(text.utf8), .cat) == text + "\n")
        #expect(try line(Array("a\tb\nc".utf8), .cat) == "a\tb\nc\n")
        #expect(
            try line([0x61, 0xFF, 0xC3, 0x62, 0xED, 0xA0, 0x80, 0xE2, 0x82], .cat) == #"a\xff\xc3b\xed\xa0\x80\xe2\x82"#
                + "\n"
        )
        // For bytes that are not text only the size is shown.
        #expect(try line([0xFF, 0xFE], .short) == "[2B blob data]\n")
        #expect(try line([0x61, 0x00], .short) == "[2B blob data]\n")
    }

    @Test("JSON remains JSON with the same value")
    func json() throws {
        let entry = try entry([
            ("MESSAGE", Array("a\u{202E}b\"\\\n".utf8)), ("X", Array("\u{1B}".utf8)), ("Y", [0xC2, 0x9B]),
        ])
        let line = String(decoding: text(entry, .json, terminal: true), as: UTF8.self)
        #expect(line == #"{"__REALTIME_TIMESTAMP":"1","MESSAGE":"a\u202eb\"\\\n","X":[27],"Y":[194,155]}"# + "\n")
    }

    @Test("outside a terminal a message is written byte for byte, or as its size where journalctl does so")
    func bytes() throws {
        let attack = Array(Self.attack.utf8)
        #expect(text(try entry([("MESSAGE", attack)]), .cat, terminal: false) == attack + [0x0A])
        #expect(try line(Array("a\u{202E}b".utf8), .short, terminal: false) == "a\u{202E}b\n")
        #expect(try line(Array("a\u{1B}]0;x".utf8), .short, terminal: false) == "[6B blob data]\n")
    }

    @Test("the text before the message is one line, on a terminal and elsewhere", arguments: [true, false])
    func prefix(terminal: Bool) throws {
        let entry = try entry([
            ("MESSAGE", Array("x".utf8)), ("_HOSTNAME", Array("h\nNov 21\u{2028}".utf8)),
            ("SYSLOG_IDENTIFIER", Array("i\td\u{202E}".utf8)), ("_PID", Array("1\n".utf8)),
        ])
        let line = String(decoding: text(entry, .short, terminal: terminal), as: UTF8.self)
        #expect(line.dropFirst(15) == #" h\x0aNov 21\u2028 i\x09d\u202e[1\x0a]: x"# + "\n")
    }

    @Test("the name of a boot is one line, too", arguments: [true, false])
    func boot(terminal: Bool) throws {
        var formatter = JournalFormatter(.short, forTerminal: terminal)
        var output = OutputBuffer()
        for boot in ["a", "b\n\u{1B}[31m"] {
            formatter.format(try entry([("_BOOT_ID", Array(boot.utf8)), ("MESSAGE", [0x78])]), into: &output)
        }
        let text = output.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.contains(#"-- Boot b\x0a\x1b[31m --"#))
    }
}
