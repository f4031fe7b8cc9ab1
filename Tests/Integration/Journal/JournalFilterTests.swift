import Filter
import Foundation
import JournalBridge
import TestSupport
import Testing

@Suite(
    "A filter on a real journal",
    .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
)
struct JournalFilterTests {
    /// Expressions and entries over few fields with few values, so that they often match.
    private struct Chance {
        var state: UInt64

        mutating func number(_ limit: Int) -> Int {
            // Xorshift: the same numbers in every run.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 11) % limit
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }

        mutating func entry() -> SyntheticJournal.Fields {
            var fields: SyntheticJournal.Fields = []
            func add(_ name: String, _ values: [String]) {
                guard number(3) > 0 else { return }
                fields.append((name, Array(pick(values).utf8)))
                // Sometimes a field is given twice.
                if number(6) == 0 { fields.append((name, Array(pick(values).utf8))) }
            }
            add("PRIORITY", ["0", "2", "3", "5", "6", "7", "9", "03", "x"])
            add("_PID", ["1", "1", "2", "3"])
            add("_UID", ["0", "0", "1000"])
            add("_SYSTEMD_UNIT", ["a.service", "b.service", "init.scope"])
            add("_SYSTEMD_SLICE", ["s.slice", "t.slice"])
            add("UNIT", ["a.service", "b.service"])
            add("OBJECT_SYSTEMD_UNIT", ["a.service", "c.service"])
            add("COREDUMP_UNIT", ["a.service", "c.service"])
            add("MESSAGE_ID", ["fc2e22bc6ee647b6b90729ab34a250b1", "0"])
            add("SYSLOG_IDENTIFIER", ["x", "y", ""])
            add("MESSAGE", ["time-out", "failed\nbadly", "ok", ""])
            return fields.isEmpty ? [("MESSAGE", Array("alone".utf8))] : fields
        }

        mutating func condition(_ depth: Int) -> String {
            guard depth > 0 else { return atom() }
            func part() -> String { "(" + condition(depth - 1) + ")" }
            switch number(9) {
            case 0, 1: return [part(), part(), part()].joined(separator: " && ")
            case 2, 3: return [part(), part()].joined(separator: " || ")
            case 4: return "!" + part()
            case 5: return "\(part()) ? \(part()) : \(part())"
            case 6: return "[1, 2].\(pick(["exists", "all"]))(p, pid == p || \(part()))"
            default: return atom()
            }
        }

        private mutating func atom() -> String {
            let unit = pick(["\"a.service\"", "\"b.service\"", "\"c.service\"", "\"init.scope\"", "\"s.slice\""])
            let sign = pick(["==", "!=", "<", "<=", ">", ">="])
            switch number(15) {
            case 0, 1: return "priority \(sign) \(pick(["err", "0", "7", "5.5", "2u"]))"
            case 2: return "pid \(sign) \(number(4))"
            case 3, 4, 5: return "unit \(pick(["==", "!="])) \(unit)"
            case 6: return "unit in [\(unit), \"b.service\"]"
            case 7: return "unit in [\(unit), \"a.service\", \"c.service\", \"x\"]"
            case 8: return "identifier \(pick(["==", "!="])) \(pick(["\"x\"", "\"\"", "null"]))"
            case 9: return "\(pick(["UNIT", "_SYSTEMD_UNIT"])) == \(unit)"
            case 10: return "message \(pick(["=~", "!~"])) \"time|ok\""
            case 11: return "has(\(pick(["PRIORITY", "_PID", "unit"])))"
            case 12: return "\(unit) in fields(\"UNIT\")"
            case 13: return "_UID == 0"
            default:
                return pick([
                    "1 / pid == 1", "unit > \"b\"", "priority in [0, 3, 6]", "true", "fields('_PID').size() > 1",
                ])
            }
        }
    }

    private func cursors(_ journal: SyntheticJournal, _ query: JournalQuery) throws -> [String] {
        try Reading.all(.files([journal.path]), query: query).entries.map(\.cursor)
    }

    @Test("the filter would not have selected any entry that the index excludes")
    func pushedDownAndPlain() throws {
        var chance = Chance(state: 20_261_121)
        var selected = 0
        var narrowed = 0
        let journals = Stress.rounds(6, stress: 6)
        let size = Stress.isAsked ? 300 : 100
        for _ in 0..<journals {
            var entries: [SyntheticJournal.Fields] = []
            for _ in 0..<size { entries.append(chance.entry()) }
            let journal = try SyntheticJournal(entries)
            for _ in 0..<60 {
                let expression = chance.condition(3)
                let schema = JournalSchema()
                let filter = try CompiledFilter(expression, schema: schema)
                let query = JournalQuery(filter, schema: schema)
                let plain = JournalQuery(schema: schema) { filter.matches($0) }
                let found = try cursors(journal, query)
                let expected = try cursors(journal, plain)
                if found != expected {
                    Issue.record(
                        "\(expression): \(found.count) entries through \(query.indexed), \(expected.count) without"
                    )
                }
                selected += expected.count
                if query.indexed != .everything { narrowed += 1 }
            }
        }
        // A test with filters that select nothing, or that cannot use the index, would prove nothing.
        #expect(selected > journals * size * 3)
        #expect(narrowed > journals * 10)
    }

    @Test(
        "unit selects what journalctl --unit shows",
        arguments: ["a.service", "b.service", "c.service", "init.scope", "s.slice"]
    )
    func unitAsJournalctl(unit: String) throws {
        var chance = Chance(state: 7)
        var entries: [SyntheticJournal.Fields] = []
        // For a repeated field this compares the first value, and journalctl's matches compare both.
        for _ in 0..<500 {
            var names: Set<String> = []
            entries.append(chance.entry().filter { names.insert($0.name).inserted })
        }
        let journal = try SyntheticJournal(entries)
        let shown = try Command.run(
            "/usr/bin/journalctl",
            ["--file", journal.path, "--unit", unit, "-o", "export", "--output-fields=__CURSOR", "--no-pager", "-q"]
        )
        let expected = String(decoding: shown.output, as: UTF8.self).split(separator: "\n").compactMap {
            $0.hasPrefix("__CURSOR=") ? String($0.dropFirst(9)) : nil
        }
        #expect(expected.count > 20)
        let query = try JournalQuery.filter("unit == \"\(unit)\"")
        let found = try cursors(journal, query)
        #expect(found == expected)
    }

    @Test("statistics count every entry, even where the index could answer", arguments: ["77", "none"])
    func statistics(text: String) throws {
        let journal = try SyntheticJournal(messages: 500)
        let schema = JournalSchema()
        let filter = try CompiledFilter("message == '\(text)'", schema: schema)
        let tally = FilterTally()
        let query = JournalQuery(filter, schema: schema, tally: tally)
        let found = try Reading.all(.files([journal.path]), query: query).entries.count
        #expect(tally.matched == found && tally.rejected == 500 - found && tally.failed == 0)
    }
}
