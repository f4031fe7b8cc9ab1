import Foundation
import JournalWriter
import TestSupport
import Testing

@testable import JournalBridge
import Records

@Suite(
    "The output formats of journal entries",
    .serialized,
    .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
)
struct JournalFormatTests {
    /// Values for which writers of text and JSON often fail.
    static let values: [[UInt8]] = {
        var values: [[UInt8]] = (0..<0x30).map { [0x61, $0, 0x62] }
        values += [
            [0x7F], [0xC2, 0x80], [0xC2, 0x9F], [0xC2, 0xA0], [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80],
            [0xED, 0xA0, 0x80],
            [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBD], [0xEF, 0xB7, 0x90], [0xEF, 0xBB, 0xBF], [0xF0, 0x9F, 0xBF, 0xBF],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBD], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [],
        ]
        values += [
            "q\"b\\s/", "é€😀", "\n", "\n\n", "\nx", "x\n", "x\ny\n\nz\n", "x\n ", "x\r", "a \r\nb", "a\r b", "\t",
            "trail  ",
        ].map { Array($0.utf8) }
        values += [
            "\u{1B}[31mred\u{1B}[0m", "\u{1B}[3", "\u{1B}[2Kx", "\u{1B}]8;;http://x\u{07}link\u{1B}]8;;\u{07}",
            "a\u{1B}[m",
        ].map { Array($0.utf8) }
        // Every length around that of a word, with each special byte at every position.
        for length in 1...18 {
            for place in 0..<length {
                for special in [UInt8(ascii: "\""), 0x0A, 0x5C, 0xC3, 0x07] {
                    var value = [UInt8](repeating: 0x78, count: length)
                    value[place] = special
                    values.append(value)
                }
            }
        }
        return values
    }()

    static func journal() throws -> SyntheticJournal {
        var entries: [SyntheticJournal.Fields] = values.map {
            [
                ("MESSAGE", $0), ("SYSLOG_IDENTIFIER", Array("test".utf8)), ("_HOSTNAME", Array("host".utf8)),
                ("_PID", Array("12".utf8)), ("OTHER", $0),
            ]
        }
        let text = { (string: String) in Array(string.utf8) }
        entries += [
            [
                ("MESSAGE", text("twice")), ("DUP", text("1")), ("DUP", text("2")), ("DUP", [0xFF]),
                ("_HOSTNAME", text("a")), ("_HOSTNAME", text("b")),
            ],
            [("MESSAGE", text("first")), ("MESSAGE", text("second"))],
            [("FOO", text("no message"))],
            [("MESSAGE", text("claimed time")), ("_SOURCE_REALTIME_TIMESTAMP", text("1600000000000000"))],
            [("MESSAGE", text("absurd time")), ("_SOURCE_REALTIME_TIMESTAMP", text("99999999999999999"))],
            [("MESSAGE", text("no time")), ("_SOURCE_REALTIME_TIMESTAMP", text("abc"))],
            [
                ("MESSAGE", text("command")), ("_COMM", text("comm")), ("SYSLOG_PID", text("7")),
                ("SYSLOG_IDENTIFIER", [0x01]),
            ],
            [
                ("MESSAGE", text("long")), ("SYSLOG_IDENTIFIER", text(String(repeating: "i", count: 300))),
                ("_HOSTNAME", text(String(repeating: "h", count: 299))),
            ],
            [("MESSAGE", text(String(repeating: "large ", count: 20_000))), ("_PID", text(""))],
            [("MESSAGE", [UInt8](repeating: 0xFE, count: 5_000))],
        ]
        entries.append((0..<200).map { ("FIELD_\($0)", text("\($0)")) })
        return try SyntheticJournal(entries)
    }

    @Test("as JSON, every entry is the object that journalctl prints, field for field")
    func json() throws {
        let journal = try Self.journal()
        let theirs = try lines(Command.run("/usr/bin/journalctl", ["--file", journal.path, "-o", "json", "-a"]).output)
        let ours = try lines(Data(Reading.text(.files([journal.path]), .json).utf8))
        #expect(theirs.count == Self.values.count + 11)
        #expect(ours.count == theirs.count)
        for (one, other) in zip(ours, theirs) {
            let (mine, its) = (try object(one), try object(other))
            #expect(mine == its)
        }
    }

    @Test(
        "an entry that was kept is written as one straight from the journal",
        arguments: JournalFormat.allCases
    )
    func keptEntries(format: JournalFormat) throws {
        let journal = try Self.journal()
        var formatter = JournalFormatter(format)
        var output = OutputBuffer()
        for entry in try Reading.all(.files([journal.path])).entries { formatter.format(entry, into: &output) }
        let kept = output.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(try kept == Reading.text(.files([journal.path]), format))
        #expect(!kept.isEmpty)
    }

    @Test("the short format is journalctl's, byte for byte, except for repeated fields")
    func short() throws {
        let journal = try Self.journal()
        let theirs = try Command.run("/usr/bin/journalctl", ["--file", journal.path, "-o", "short", "-q"]).output
        let expected = String(decoding: theirs, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let lines = try Reading.text(.files([journal.path]), .short).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count == expected.count)
        // journalctl shows the last value and searches the first.
        let differing = zip(lines, expected).filter { $0 != $1 }
        #expect(differing.map { $0.0.dropFirst(15) } == [" a unknown: twice", " unknown: first"])
        #expect(differing.map { $0.1.dropFirst(15) } == [" b unknown: twice", " unknown: second"])
        #expect(theirs.count > 10_000)
    }

    @Test("the message and the time shown are those that a filter sees")
    func shownAndFiltered() throws {
        let text = { (string: String) in Array(string.utf8) }
        let journal = try SyntheticJournal([
            [
                ("MESSAGE", text("one")), ("MESSAGE", text("two")),
                ("_SOURCE_REALTIME_TIMESTAMP", text("1577934245000000")),
            ],
            [("MESSAGE", text("three"))],
        ])
        let source = JournalSource.files([journal.path])
        let early = "time < timestamp('2021-01-01T00:00:00Z')"
        for filter in [early, "\(early) && message == 'one'", "message != 'three' && age > duration('1h')"] {
            let entries = try Reading.all(source, query: .filter(filter)).entries
            #expect(entries.map(\.time) == [1_577_934_245_000_000], "\(filter)")
            #expect(entries.map(\.realtime) == [1_700_000_000_000_000])
        }
        #expect(
            try Reading.all(source, query: .filter("message == 'two' || !(\(early)) && message == 'one'")).entries
                .isEmpty
        )
        let lines = try Reading.text(source, .short).split(separator: "\n")
        #expect(lines.map { $0.prefix(3) } == ["Jan", "Nov"])
        #expect(lines.map { $0.suffix(3) } == ["one", "ree"])
    }

    /// The output of `journalctl -o` in UTC, and ours. Repeated fields are left out, because journalctl shows the last
    /// one and searches the first.
    private func texts(
        _ format: JournalFormat,
        _ entries: [SyntheticJournal.Fields],
        fields: [String]? = nil,
        all: Bool = false
    ) throws -> (ours: [UInt8], theirs: [UInt8]) {
        let journal = try SyntheticJournal(entries)
        var arguments = ["--file", journal.path, "-q", "--utc", "-o", format.rawValue]
        if all { arguments.append("-a") }
        if let fields { arguments.append("--output-fields=\(fields.joined(separator: ","))") }
        let theirs = try Command.run("/usr/bin/journalctl", arguments).output
        var style = JournalStyle(format)
        style.isUTC = true
        style.fields = fields
        style.showsAll = all
        return (try Reading.bytes(.files([journal.path]), JournalFormatter(style)), [UInt8](theirs))
    }

    private static var awkward: [SyntheticJournal.Fields] {
        let text = { (string: String) in Array(string.utf8) }
        let units: [[(String, String)]] = [
            [("_SYSTEMD_UNIT", "a.service")], [("_SYSTEMD_USER_UNIT", "u.service")], [("_COMM", "comm")],
            [("_SYSTEMD_UNIT", "a.service"), ("_SYSTEMD_USER_UNIT", "u.service")], [],
            [("_SYSTEMD_UNIT", String(repeating: "u", count: 300))], [("_SYSTEMD_UNIT", "\u{1}"), ("_COMM", "c")],
        ]
        var entries: [SyntheticJournal.Fields] = values.map {
            [("MESSAGE", $0), ("SYSLOG_IDENTIFIER", text("test")), ("_PID", text("12")), ("OTHER", $0)]
        }
        for (number, fields) in units.enumerated() {
            entries.append(
                fields.map { ($0.0, text($0.1)) } + [
                    ("MESSAGE", text("unit \(number)")), ("SYSLOG_PID", text("7")), ("_HOSTNAME", text("host")),
                ]
            )
        }
        for time in ["0", "1", "999999", "1600000000000000", "99999999999999999", "abc", ""] {
            entries.append([("MESSAGE", text("time")), ("_SOURCE_REALTIME_TIMESTAMP", text(time))])
            entries.append([("MESSAGE", text("uptime")), ("_SOURCE_MONOTONIC_TIMESTAMP", text(time))])
        }
        entries.append([("MESSAGE", text(String(repeating: "large ", count: 20_000)))])
        entries.append([("NONE", text("no message"))])
        entries.append([("MESSAGE", text("last"))])
        return entries
    }

    @Test(
        "every format but JSON is journalctl's, byte for byte, also with -a",
        arguments: JournalFormat.allCases.filter { !$0.rawValue.hasPrefix("json") },
        [false, true]
    )
    func everyFormat(format: JournalFormat, all: Bool) throws {
        // With -a journalctl ends a value at its first zero byte, and shows names that are too long or not text.
        let isOdd: (SyntheticJournal.Fields) -> Bool = { fields in
            fields.contains { name, value in
                value.contains(0) || name == "_SYSTEMD_UNIT" && (value == [1] || value.count >= 300)
            }
        }
        let (ours, theirs) = try texts(format, all ? Self.awkward.filter { !isOdd($0) } : Self.awkward, all: all)
        #expect(theirs.count > 10_000)
        expectEqual(ours, theirs)
    }

    @Test("the line between boots appears where journalctl writes one", arguments: JournalFormat.allCases)
    func boots(format: JournalFormat) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.journal")
        var writer = JournalFileWriter(JournalFileForm())
        for number in 1...6 {
            let boot = ID128(UInt64(number / 3 + 1), 1)
            let fields = number == 6 ? ["NOTE=none"] : ["MESSAGE=\(number)"]
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: 1_700_000_000_000_000 + UInt64(number) * 1_500_000,
                    monotonic: UInt64(number % 3) * 1_500_000 + 1,
                    boot: boot,
                    fields: (fields + ["_BOOT_ID=\(boot)"]).map { Array($0.utf8) }
                )
            )
        }
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: path))
        let theirs = try Command.run("/usr/bin/journalctl", ["--file", path, "--utc", "-o", format.rawValue]).output
        var style = JournalStyle(format)
        style.isUTC = true
        let ours = try Reading.bytes(.files([path]), JournalFormatter(style))
        // The order of JSON members differs.
        if format.rawValue.hasPrefix("json") {
            #expect(ours.sorted() == theirs.sorted())
        } else {
            expectEqual(ours, [UInt8](theirs))
        }
    }

    @Test(
        "the formats that show all fields show only the named ones",
        arguments: [JournalFormat.verbose, .export, .cat]
    )
    func namedFields(format: JournalFormat) throws {
        let names = format == .cat ? ["OTHER"] : ["_PID", "MESSAGE", "ABSENT"]
        let (ours, theirs) = try texts(format, Self.awkward, fields: names)
        #expect(theirs.count > 1_000)
        expectEqual(ours, theirs)
    }

    private func expectEqual(_ ours: [UInt8], _ theirs: [UInt8]) {
        guard ours != theirs else { return }
        let place =
            zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(ours.count, theirs.count)
        let around = { (bytes: [UInt8]) in
            String(decoding: bytes[max(0, place - 80)..<min(bytes.count, place + 80)], as: UTF8.self)
        }
        Issue.record(
            "they differ at byte \(place): \(around(ours).debugDescription) is not \(around(theirs).debugDescription)"
        )
    }

    @Test(
        "every form of JSON has journalctl's objects in journalctl's layout",
        arguments: [JournalFormat.jsonPretty, .jsonSequence, .jsonEvents],
        [nil, ["MESSAGE", "_PID"]]
    )
    func formsOfJSON(format: JournalFormat, fields: [String]?) throws {
        let entries = Self.awkward.filter { !($0.first?.0 == "MESSAGE" && ($0.first?.1.count ?? 0) > 50_000) }
        let (ours, theirs) = try texts(format, entries, fields: fields)
        let (mine, its) = (Self.objects(ours, format), Self.objects(theirs, format))
        #expect(mine.count == entries.count)
        #expect(its.count == entries.count)
        for (one, other) in zip(mine, its) { #expect(try object(one) == object(other)) }
        // The order of members differs. Apart from that, the bytes are the same.
        #expect(ours.sorted() == theirs.sorted())
        #expect(Self.outline(ours, format) == Self.outline(theirs, format))
    }

    private static func objects(_ bytes: [UInt8], _ format: JournalFormat) -> [Data] {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts: [Substring] =
            switch format {
            case .jsonSequence: text.split(separator: "\u{1E}")
            case .jsonEvents: text.split(separator: "\n\n").map { $0.dropFirst("data: ".count) }
            default: text.split(separator: "\n}\n").map { "\($0)\n}"[...] }
            }
        return parts.map { Data($0.utf8) }
    }

    /// The beginning and end of each line.
    private static func outline(_ bytes: [UInt8], _ format: JournalFormat) -> [[UInt8]] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if format == .jsonPretty { return lines.filter { !$0.starts(with: "\t".utf8) }.map { Array($0) } }
        return lines.map { Array($0.prefix(format == .jsonEvents ? 7 : 2)) }
    }

    @Test("the bare message is journalctl's, byte for byte")
    func cat() throws {
        let journal = try Self.journal()
        let theirs = try Command.run("/usr/bin/journalctl", ["--file", journal.path, "-o", "cat", "-q"]).output
        #expect(try Reading.text(.files([journal.path]), .cat) == String(decoding: theirs, as: UTF8.self))
        #expect(theirs.count > 10_000)
    }

    @Test("journalctl's export is read back as the same entries")
    func exportRoundTrip() throws {
        let journal = try Self.journal()
        let export = try Command.run("/usr/bin/journalctl", ["--file", journal.path, "-o", "export"]).output
        let bytes = [UInt8](export)
        let expected = try Reading.all(.files([journal.path])).entries
        // In pieces of every awkward size.
        for size in [1, 7, 4096, bytes.count] {
            var position = 0
            var reader = ExportReader("the export") { (buffer: UnsafeMutableRawBufferPointer) in
                let count = min(size, buffer.count, bytes.count - position)
                buffer.copyBytes(from: bytes[position..<position + count])
                position += count
                return count
            }
            var entries: [JournalEntry] = []
            while try reader.advance() == .entry { entries.append(reader.entry()) }
            #expect(entries.count == expected.count)
            for (one, other) in zip(entries, expected) {
                #expect(one.cursor == other.cursor)
                #expect(one.realtime == other.realtime)
                #expect(one.monotonic == other.monotonic)
                #expect(one.bootID == other.bootID)
                #expect(Set(one.fields) == Set(other.fields))
                #expect(one.fields.count == other.fields.count)
            }
        }
    }

    @Test("the checksum in an entry's cursor is that of its fields")
    func checksums() throws {
        let journal = try Self.journal()
        let reading = try Reading.all(.files([journal.path]))
        for entry in reading.entries {
            let checksum = entry.fields.reduce(UInt64(0)) { checksum, field in
                checksum ^ PayloadHash.lookup3(Array(field.name.utf8) + [UInt8(ascii: "=")] + field.bytes)
            }
            #expect(entry.cursor.hasSuffix(";x=" + String(checksum, radix: 16)))
        }
        #expect(reading.entries.count > 100)
    }

    @Test("a large field is complete, as text and as bytes")
    func largeField() throws {
        let size = Stress.isAsked ? 10_000_000 : 1_000_000
        let text = [UInt8](repeating: 0x61, count: size)
        let binary = [UInt8](repeating: 0x01, count: size)
        let journal = try SyntheticJournal([[("MESSAGE", text), ("BLOB", binary)]])
        let reading = try Reading.all(.files([journal.path]), query: .filter("MESSAGE.endsWith('aaa')"))
        #expect(reading.entries.count == 1)
        #expect(reading.entries.first?.bytes(of: "MESSAGE") == text)
        #expect(reading.entries.first?.bytes(of: "BLOB") == binary)
        let json = try Reading.text(.files([journal.path]), .json)
        #expect(json.utf8.count > 3 * size)
        #expect(!json.contains("null"))
    }

    private func lines(_ data: Data) -> [Data] { data.split(separator: 0x0A).map { Data($0) } }

    private func object(_ data: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }
}
