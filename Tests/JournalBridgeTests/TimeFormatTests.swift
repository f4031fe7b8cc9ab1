import Glibc
import Testing

@testable import JournalBridge
import Records

@Suite("The times of entries in output")
struct TimeFormatTests {
    private func lines(_ text: String, _ format: JournalFormat) throws -> [String] {
        var style = JournalStyle(format)
        style.isUTC = true
        style.hidesHost = true
        var formatter = JournalFormatter(style)
        var output = OutputBuffer()
        for entry in try ReadExport(text).entries { formatter.format(entry, into: &output) }
        return output.withBytes { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init)
    }

    private func entry(_ message: String, boot: Character, realtime: Int, monotonic: Int) -> String {
        """
        __REALTIME_TIMESTAMP=\(realtime)
        __MONOTONIC_TIMESTAMP=\(monotonic)
        _BOOT_ID=\(String(repeating: boot, count: 32))
        _HOSTNAME=host
        MESSAGE=\(message)


        """
    }

    @Test("after a reboot the elapsed time is that of the wall clock, and marked")
    func deltas() throws {
        let text =
            entry("a", boot: "1", realtime: 1_000_000_000, monotonic: 123_456_000_001)
            + entry("b", boot: "1", realtime: 2_000_000_000, monotonic: 123_457_000_002)
            + entry("c", boot: "1", realtime: 2_000_000_000, monotonic: 123_457_000_000)
            + entry("d", boot: "2", realtime: 2_500_000_000, monotonic: 5)
        #expect(
            try lines(text, .shortDelta) == [
                "[123456.000001                ] unknown: a", "[123457.000002 <    1.000001 >] unknown: b",
                "[123457.000000 <    0.000000 >] unknown: c", "-- Boot \(String(repeating: "2", count: 32)) --",
                "[    0.000005 <  500.000000*>] unknown: d",
            ]
        )
        #expect(try lines(text, .shortMonotonic).last == "[    0.000005] unknown: d")
    }

    @Test("the earliest and the latest possible time")
    func limits() throws {
        let text =
            entry("a", boot: "1", realtime: 1, monotonic: 0) + entry("b", boot: "1", realtime: .max, monotonic: .max)
        for format in JournalFormat.allCases { #expect(try lines(text, format).count >= 2, "\(format)") }
        #expect(try lines(text, .shortUnix).first == "         0.000001 unknown: a")
        #expect(try lines(text, .shortISOPrecise).first == "1970-01-01T00:00:00.000001+00:00 unknown: a")
    }

    @Test("on a terminal every field of a whole entry is harmless, and its fields stay separate")
    func verbose() throws {
        let entry = try #require(
            try ReadExport(
                ReadExport.binary("A", Array("x\u{1B}[2J\ny\r".utf8)) + ReadExport.binary("B", [0xFF, 0xFE])
                    + Array("__REALTIME_TIMESTAMP=1\n\n".utf8)
            ).entries.first
        )
        var style = JournalStyle(.verbose)
        style.isUTC = true
        style.isForTerminal = true
        var formatter = JournalFormatter(style)
        var output = OutputBuffer()
        formatter.format(entry, into: &output)
        let text = output.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(
            text == "Thu 1970-01-01 00:00:00.000001 UTC\n" + #"    A=x\x1b[2J"# + "\n" + #"      y\x0d"# + "\n"
                + "    B=[2B blob data]\n"
        )
    }

    @Test("a message has the colour of its severity, and no other on a terminal")
    func colors() throws {
        var text = ""
        for priority in 0...8 { text += "PRIORITY=\(priority)\nMESSAGE=m\(priority)\n__REALTIME_TIMESTAMP=1\n\n" }
        text += "MESSAGE=none\n__REALTIME_TIMESTAMP=1\n\n"
        var style = JournalStyle(.shortUnix)
        style.hasColors = true
        style.isForTerminal = true
        var formatter = JournalFormatter(style)
        var output = OutputBuffer()
        for entry in try ReadExport(text).entries { formatter.format(entry, into: &output) }
        let attack = ReadExport.binary("MESSAGE", Array("a\u{1B}[0mb\nc".utf8)) + Array("PRIORITY=3\n\n".utf8)
        formatter.format(try #require(try ReadExport(attack).entries.first), into: &output)
        let all = output.withBytes { String(decoding: $0, as: UTF8.self) }
        let lines = all.split(separator: "\n").map { $0.dropFirst("         0.000001 unknown: ".count) }
        let red = "\u{1B}[0;1;31m"
        let end = "\u{1B}[0m"
        #expect(lines[..<4].map { String($0) } == (0...3).map { "\(red)m\($0)\(end)" })
        #expect(lines[4] == "\u{1B}[0;1;38;5;185mm4\(end)" && lines[5] == "\u{1B}[0;1;39mm5\(end)")
        #expect(lines[6] == "m6" && lines[7] == "\u{1B}[0;38;5;245mm7\(end)" && lines[8] == "m8" && lines[9] == "none")
        // The message's own colours are removed, as in journalctl.
        #expect(lines[10].hasSuffix("\(red)ab") && all.hasSuffix("\n                   c\(end)\n"), "\(all)")
    }
}
