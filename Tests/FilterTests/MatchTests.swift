import Testing

@testable import Filter

@Suite struct MatchTests {
    private static func term(_ field: String, _ value: String) -> Match {
        .term(field: field, value: Array(value.utf8))
    }

    private static func unit(_ value: String) -> Match {
        .any([term("_SYSTEMD_UNIT", value), term("UNIT", value)])
    }

    @Test(arguments: [
        ("pid == 42", term("pid", "42")),
        ("42 == pid", term("pid", "42")),
        ("pid == 42u", term("pid", "42")),
        ("pid == 42.0", term("pid", "42")),
        ("unit == 'a'", unit("a")),
        ("record.unit == 'a'", unit("a")),
        ("!(unit != 'a')", unit("a")),
        ("not (unit != 'a')", unit("a")),
        (
            "unit in ['a', 'b']",
            .any([term("_SYSTEMD_UNIT", "a"), term("UNIT", "a"), term("_SYSTEMD_UNIT", "b"), term("UNIT", "b")])
        ),
        ("priority in [err, crit]", .any([term("priority", "2"), term("priority", "3")])),
        ("priority <= 1", .any([term("priority", "0"), term("priority", "1")])),
        ("1 >= priority", .any([term("priority", "0"), term("priority", "1")])),
        ("priority < 1", term("priority", "0")),
        ("priority < 0.5", term("priority", "0")),
        ("priority > 5", .any([term("priority", "6"), term("priority", "7")])),
        ("!(priority <= 5)", .any([term("priority", "6"), term("priority", "7")])),
        ("priority >= 3 && priority <= 4", .any([term("priority", "3"), term("priority", "4")])),
        ("priority < 2 || priority == 7", .any([term("priority", "0"), term("priority", "1"), term("priority", "7")])),
        (
            "(pid == 1 || 2 in fields('pid')) && pid == 3",
            .all([term("pid", "3"), .any([term("pid", "1"), term("pid", "2")])])
        ),
        ("priority == 3 && pid == 1 && message =~ 'x'", .all([term("priority", "3"), term("pid", "1")])),
        (
            "pid == 1 || (unit == 'a' && message =~ 'x')",
            .any([term("pid", "1"), term("_SYSTEMD_UNIT", "a"), term("UNIT", "a")])
        ),
        ("!(pid != 1 || priority != 2)", .all([term("pid", "1"), term("priority", "2")])),
        ("kernel ? pid == 1 : pid == 2", .any([term("pid", "1"), term("pid", "2")])),
        ("identifier == 'a' && identifier == 'a'", term("identifier", "a")),
    ])
    func `what the index can answer is handed down`(expression: String, expected: Match) throws {
        #expect(try compile(expression).match == expected)
    }

    @Test(arguments: [
        "message == 'x'", "pid != 1", "pid < 5", "unit > 'a'", "pid == 1 || message == 'x'", "!(pid == 1)", "has(pid)",
        "kernel",
        "pid == priority", "pid + 1 == 2", "priority >= 0", "priority <= 7",
        "pid == null",
        "unit.startsWith('a')", "unit =~ 'a'", "pid == 1.5", "string(pid) == '1'", "dyn(pid) + 1 == 2", "true",
        "priority != 3",
    ])
    func `what it cannot answer leaves everything`(expression: String) throws {
        #expect(try compile(expression).match == .everything)
    }

    @Test func `more than 32 values of a field are left to the filter`() throws {
        let list = { (count: Int) in "pid in [\((1...count).map(String.init).joined(separator: ", "))]" }
        #expect(try compile(list(32)).match != .everything)
        #expect(try compile(list(33)).match == .everything)
    }

    @Test(arguments: [
        "false", "pid in []", "pid == 1 && pid == 2", "priority < 3 && priority > 5", "priority > 7",
        "false && unit == 'a'",
        "!(true || pid == 1)",
    ])
    func `what nothing can fulfil asks the index for nothing`(expression: String) throws {
        #expect(try compile(expression).match == .nothing)
    }

    @Test func `a match keeps its simplest form`() {
        let one = Self.term("a", "1")
        let two = Self.term("a", "2")
        #expect(Match.conjunction([]) == .everything)
        #expect(Match.disjunction([]) == .nothing)
        #expect(Match.conjunction([one, .everything, one]) == one)
        #expect(Match.conjunction([one, .nothing]) == .nothing)
        #expect(Match.disjunction([one, .everything]) == .everything)
        #expect(Match.disjunction([.nothing, one, .any([two, one])]) == .any([one, two]))
        #expect(Match.conjunction([.all([one, two]), one]) == .all([one, two]))
        #expect(Match.all([one, .any([one, two])]).termCount == 3)
    }

    @Test(arguments: [
        ("pid >= 5 && 9 > pid && unit == 'a'", true), ("pid == 5", true), ("unit == 'a'", true),
        ("pid != 5", false), ("!(pid >= 5)", false), ("pid >= 5 || unit == 'a'", false),
        ("pid >= 5 && (unit == 'a' || pid == 7)", false), ("pid >= priority", false), ("has(pid) && pid > 5", false),
        ("pid > 5 && [1, 2].exists(x, x == pid)", false), ("pid > 5 && time < now", false),
    ])
    func `a field is decided by its bounds where it is only compared`(expression: String, isDecided: Bool) throws {
        #expect(try compile(expression).isDecided(byBoundsOf: "pid") == isDecided)
    }
}
