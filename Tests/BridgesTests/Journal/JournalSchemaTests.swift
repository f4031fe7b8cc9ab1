import Filter
import Testing

@testable import JournalBridge

@Suite("A journal entry's fields in a filter")
struct JournalSchemaTests {
    /// An entry in the export format, asked a question.
    private func entry(_ lines: String..., matches expression: String) throws -> Bool {
        let schema = JournalSchema()
        let query = JournalQuery(try CompiledFilter(expression, schema: schema), schema: schema)
        var bytes = Array(
            (lines + ["__REALTIME_TIMESTAMP=1700000000000000", "__CURSOR=c", "", ""]).joined(separator: "\n").utf8
        )[...]
        var reader = ExportReader("test", query: query) { (buffer: UnsafeMutableRawBufferPointer) in
            let count = min(buffer.count, bytes.count)
            buffer.copyBytes(from: bytes.prefix(count))
            bytes = bytes.dropFirst(count)
            return count
        }
        return try reader.advance() == .entry
    }

    @Test("numbers are numbers, and text where they are none")
    func numbers() throws {
        #expect(try entry("PRIORITY=3", matches: "priority <= err"))
        #expect(try !entry("PRIORITY=4", matches: "priority <= err"))
        #expect(try entry("_PID=4000000000", matches: "_PID == 4000000000"))
        #expect(try entry("ERRNO=-2", matches: "ERRNO < 0"))
        #expect(try !entry("PRIORITY=9", matches: "priority > 7"))
        #expect(try !entry("PRIORITY=03", matches: "priority == 3"))
        #expect(try !entry("MESSAGE=x", matches: "priority < 8"))
    }

    @Test("the unit is the one that the entry is about")
    func unit() throws {
        #expect(try entry("_SYSTEMD_UNIT=a.service", matches: "unit == 'a.service'"))
        #expect(try entry("_PID=1", "UNIT=b.service", "_SYSTEMD_UNIT=init.scope", matches: "unit == 'b.service'"))
        #expect(try entry("_PID=1", "_SYSTEMD_UNIT=init.scope", matches: "unit == 'init.scope'"))
        #expect(try entry("_PID=11", "UNIT=b.service", "_SYSTEMD_UNIT=a.service", matches: "unit == 'a.service'"))
    }

    @Test("a field given twice is asked for its first value; one that is not there is null")
    func repeatedAndAbsent() throws {
        #expect(try entry("A=1", "A=2", matches: "A == '1'"))
        #expect(try entry("B=1", matches: "A != '1'"))
        #expect(try entry("A=", matches: "has(entry.A) && A == ''"))
        #expect(try !entry("B=1", matches: "has(entry.A)"))
    }

    @Test("time and cursor")
    func times() throws {
        #expect(try entry("A=1", matches: "__REALTIME_TIMESTAMP == 1700000000000000 && __CURSOR == 'c'"))
    }

    @Test("names that no journal field can have are refused")
    func names() throws {
        let schema = JournalSchema()
        for name in ["mesage", "1A", "__NO", "A-B", "Ü", ""] { #expect(schema.field(named: name) == nil, "\(name)") }
        for name in ["A", "A_1", "_A", "__CURSOR", "unit", "time"] {
            #expect(schema.field(named: name) != nil, "\(name)")
        }
        #expect(schema.field(named: "MESSAGE")?.name == schema.field(named: "message")?.name)
    }

    @Test("the index is asked for a unit as journalctl asks, and never for what it does not hold")
    func pushDown() throws {
        let schema = JournalSchema()
        let filter = try CompiledFilter("unit == 'a' && __CURSOR == 'c' && message.contains('x')", schema: schema)
        #expect(
            filter.match
                == .any([
                    .term(field: "_SYSTEMD_UNIT", value: [0x61]),
                    .all([.term(field: "_PID", value: [0x31]), .term(field: "UNIT", value: [0x61])]),
                ])
        )
    }
}
