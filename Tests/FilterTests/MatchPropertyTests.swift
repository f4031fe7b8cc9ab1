import TestSupport
import Testing

@testable import Filter

/// Every record that a filter selects is also selected by its match. This is checked on random filters and records,
/// including absent values and values of a wrong type.
@Suite struct MatchPropertyTests {
    private struct RandomFilters {
        var random: SeededGenerator

        mutating func condition(_ depth: Int) -> String {
            guard depth > 0 else { return atom() }
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: return "(" + joined(" && ", depth) + ")"
            case 2, 3: return "(" + joined(" || ", depth) + ")"
            case 4, 5: return "!(" + condition(depth - 1) + ")"
            case 6:
                return "(" + condition(depth - 1) + " ? " + condition(depth - 1) + " : " + condition(depth - 1) + ")"
            case 7: return "(not (" + condition(depth - 1) + "))"
            default: return atom()
            }
        }

        private mutating func joined(_ sign: String, _ depth: Int) -> String {
            (0..<Int.random(in: 2...3, using: &random)).map { _ in condition(depth - 1) }.joined(separator: sign)
        }

        private mutating func atom() -> String {
            let number = random.pick(["0", "1", "2", "3", "6", "7", "8", "-1", "1.0", "2.5", "3u", "err"])
            let order = random.pick(["==", "!=", "<", "<=", ">", ">=", "==", "=="])
            let name = random.pick(["'a'", "'b'", "'c'"])
            let field = random.pick(["priority", "pid"])
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1, 2: return "\(field) \(order) \(number)"
            case 3: return "\(number) \(order) \(field)"
            case 4, 5: return "unit \(random.pick(["==", "!="])) \(name)"
            case 6: return "\(name) == identifier"
            case 7: return "\(field) in [\(number), \(random.pick(["0", "1", "5"])), 2]"
            case 8: return "unit in ['a', 'b']"
            case 9: return "has(\(field))"
            case 10: return "unit =~ 'a|b'"
            case 11: return "1 / pid == 1"
            case 12: return random.pick(["true", "false", "kernel", "pid == null", "dyn(unit) == 1"])
            default: return "message.contains('a')"
            }
        }

        mutating func record() -> SampleRecord {
            var fields: [Int: SampleRecord.Field] = [:]
            func add(_ id: Int, _ field: SampleRecord.Field) {
                if Int.random(in: 0..<5, using: &random) > 0 { fields[id] = field }
            }
            let text = random.pick(["a", "b", "c", "3", ""])
            add(0, .text(Array(random.pick(["abc", "xyz"]).utf8)))
            add(1, random.pick([.int(Int64.random(in: 0...7, using: &random)), .int(3), .text(Array("3".utf8))]))
            add(2, .text(Array(text.utf8)))
            add(3, random.pick([.int(0), .int(1), .int(2), .int(3), .text([0x61])]))
            add(5, .bool(Bool.random(using: &random)))
            add(8, .text(Array(random.pick(["a", "b", "c"]).utf8)))
            return SampleRecord(fields)
        }
    }

    /// The result of the journal's index.
    private func selects(_ match: Match, _ record: SampleRecord) -> Bool {
        switch match {
        case .everything: return true
        case .nothing: return false
        case .all(let parts): return parts.allSatisfy { selects($0, record) }
        case .any(let parts): return parts.contains { selects($0, record) }
        case .term(let field, let value):
            let ids = ["priority": 1, "_SYSTEMD_UNIT": 2, "pid": 3, "identifier": 8]
            guard let id = ids[field] else { return false }
            switch record.value(of: FieldID(rawValue: id)) {
            case .int(let number): return Array(String(number).utf8) == value
            case .text(let bytes): return Array(bytes) == value
            default: return false
            }
        }
    }

    @Test func `no entry that a filter selects is left out by its match`() throws {
        var filters = RandomFilters(random: SeededGenerator(20_261))
        var selected = 0
        var leftOut = 0
        let rounds = Stress.rounds(800, stress: 4_000)
        for _ in 0..<rounds {
            let expression = filters.condition(3)
            let filter = try compile(expression)
            for _ in 0..<5 {
                let record = filters.record()
                let matches = filter.matches(record)
                let isInMatch = selects(filter.match, record)
                if matches { selected += 1 }
                if !isInMatch { leftOut += 1 }
                if matches, !isInMatch { Issue.record("\(expression) selects what \(filter.match) leaves out") }
            }
        }
        // Random filters that select nothing, or whose matches exclude nothing, would prove nothing.
        #expect(selected > rounds * 3 / 4)
        #expect(leftOut > rounds / 2)
    }

    @Test func `of each list of probes one holds for every entry that a filter selects`() throws {
        var filters = RandomFilters(random: SeededGenerator(20_261_122))
        var tested = 0
        var failed = 0
        for _ in 0..<Stress.rounds(800, stress: 4_000) {
            let expression = filters.condition(3)
            let filter = try compile(expression)
            let probes = filter.probes
            let budget = filter.makeBudget()
            for _ in 0..<5 {
                let record = filters.record()
                let matches = filter.matches(record)
                for alternatives in probes {
                    // A probe sees only its own field.
                    let holds = alternatives.contains { probe in
                        probe.mayHold(within: budget) { field, index in
                            field == probe.field.id && index == 0 ? record.value(of: field) : .absent
                        }
                    }
                    tested += 1
                    if !holds { failed += 1 }
                    if matches, !holds {
                        Issue.record("\(expression) selects what \(alternatives.map(\.text)) leave out")
                    }
                }
            }
        }
        #expect(tested > 500)
        #expect(failed > tested / 10)
    }
}
