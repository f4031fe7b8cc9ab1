import Filter
import Testing

@testable import JournalBridge

@Suite("The fields of a journal entry in a filter")
struct JournalSchemaTests {
    /// An entry in the export format that a filter examines.
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

    @Test("numbers are numbers, and other values are text")
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

    @Test("a repeated field has its first value; a missing one is null")
    func repeatedAndAbsent() throws {
        #expect(try entry("A=1", "A=2", matches: "A == '1'"))
        #expect(try entry("B=1", matches: "A != '1'"))
        #expect(try entry("A=", matches: "has(record.A) && A == ''"))
        #expect(try !entry("B=1", matches: "has(record.A)"))
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

    @Test("the index is queried for a unit as by journalctl, and never for what it does not contain")
    func pushDown() throws {
        let schema = JournalSchema()
        let filter = try CompiledFilter("unit == 'a' && __CURSOR == 'c' && message.contains('x')", schema: schema)
        func term(_ field: String, _ value: String) -> Match { .term(field: field, value: Array(value.utf8)) }
        let expected: [Match] = [
            term("_SYSTEMD_UNIT", "a"),
            .all([
                term("MESSAGE_ID", "fc2e22bc6ee647b6b90729ab34a250b1"), term("_UID", "0"), term("COREDUMP_UNIT", "a"),
            ]),
            .all([term("_PID", "1"), term("UNIT", "a")]),
            .all([term("_UID", "0"), term("OBJECT_SYSTEMD_UNIT", "a")]),
        ]
        #expect(filter.match == .any(expected))
        let slice = try CompiledFilter("unit == 'a.slice'", schema: JournalSchema())
        guard case .any(let parts) = slice.match else {
            Issue.record("\(slice.match)")
            return
        }
        #expect(parts.count == 5 && parts.last == term("_SYSTEMD_SLICE", "a.slice"))
        // Three units still fit into a query of the index.
        let query = JournalQuery(try CompiledFilter("unit in ['a', 'b', 'c']", schema: schema), schema: schema)
        #expect(query.indexed.termCount == 16)
    }

    @Test("an entry is found under each unit for which journalctl shows it")
    func severalUnits() throws {
        let about = ["_PID=1", "UNIT=b.service", "_SYSTEMD_UNIT=init.scope"]
        for unit in ["b.service", "init.scope"] {
            #expect(try entry(about[0], about[1], about[2], matches: "unit == '\(unit)'"))
            #expect(try entry(about[0], about[1], about[2], matches: "unit in ['x', '\(unit)']"))
            #expect(try !entry(about[0], about[1], about[2], matches: "unit != '\(unit)'"))
        }
        #expect(try entry(about[0], about[1], about[2], matches: "unit.startsWith('b')"))
        let crash = ["MESSAGE_ID=fc2e22bc6ee647b6b90729ab34a250b1", "_UID=0", "COREDUMP_UNIT=c.service"]
        #expect(try entry(crash[0], crash[1], crash[2], matches: "unit == 'c.service'"))
        #expect(try !entry(crash[0], "_UID=1", crash[2], matches: "unit == 'c.service'"))
        #expect(try entry("_UID=0", "OBJECT_SYSTEMD_UNIT=d.service", matches: "unit == 'd.service'"))
        #expect(try entry("_SYSTEMD_SLICE=e.slice", matches: "unit == 'e.slice' && !has(unit) && unit == null"))
        #expect(try entry("_SYSTEMD_SLICE=e.slice", "_SYSTEMD_UNIT=f", matches: "unit == 'e.slice' && unit =~ '^f$'"))
        #expect(try entry("A=1", matches: "unit != 'x' && unit == null"))
    }

    @Test("all values of a field are a list")
    func everyValue() throws {
        #expect(try entry("A=1", "B=2", "A=3", "A=1", matches: "fields('A') == ['1', '3', '1'] && A == '1'"))
        #expect(try entry("ERRNO=1", "ERRNO=x", matches: "fields('ERRNO') == [1, 'x']"))
        #expect(try entry("A=1", matches: "fields('B') == [] && fields('A').size() == 1"))
        #expect(try entry("MESSAGE=2", matches: "fields('message') == ['2']"))
        let time = "__REALTIME_TIMESTAMP"
        let text = "\(time) > 5 && fields('\(time)').exists(t, t > 9)"
        #expect(try !CompiledFilter(text, schema: JournalSchema()).isDecided(byBoundsOf: time))
    }

    @Test("an entry's age is measured from now")
    func age() throws {
        #expect(try entry("A=1", matches: "age > duration('1h') && time < now && now - time == age"))
    }

    @Test("a complete entry gives the same results as one being read")
    func wholeEntry() throws {
        var bytes = Array("A=1\nPRIORITY=3\nA=2\n_PID=1\nUNIT=b\n_SYSTEMD_UNIT=i\n__REALTIME_TIMESTAMP=5\n\n".utf8)[...]
        var reader = ExportReader("test", query: .everything) { (buffer: UnsafeMutableRawBufferPointer) in
            let count = min(buffer.count, bytes.count)
            buffer.copyBytes(from: bytes.prefix(count))
            bytes = bytes.dropFirst(count)
            return count
        }
        let step = try reader.advance()
        #expect(step == .entry)
        let entry = reader.entry()
        for expression in [
            "A == '1' && fields('A') == ['1', '2']", "priority == err && unit == 'b' && unit == 'i'", "!has(MESSAGE)",
            "time == timestamp('1970-01-01T00:00:00.000005Z')",
        ] {
            let schema = JournalSchema()
            let filter = try CompiledFilter(expression, schema: schema)
            let outcome = entry.evaluate(filter, schema: schema, within: filter.makeBudget())
            guard case .matched = outcome else {
                Issue.record("\(expression): \(outcome)")
                continue
            }
        }
    }
}
