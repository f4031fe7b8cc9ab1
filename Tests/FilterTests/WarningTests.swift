import Testing

@testable import Filter

@Suite struct WarningTests {
    /// Each warning, after the part of the expression that it is about.
    private func warnings(_ expression: String) throws -> [String] {
        let bytes = Array(expression.utf8)
        return try compile(expression).warnings.map { warning in
            "\(String(decoding: bytes[warning.range], as: UTF8.self)): \(warning.message)"
        }
    }

    @Test(arguments: [
        ("priority == 9", "9: priority is 0 to 7, so that this never holds"),
        ("priority > 7", "7: priority is 0 to 7, so that this never holds"),
        ("0 > priority", "0: priority is 0 to 7, so that this never holds"),
        ("priority in [3, 8]", "8: priority is 0 to 7, so that this never holds"),
        ("unit == \"nginx*\"", "\"nginx*\": a * in a text stands for itself; write unit.startsWith(\"nginx\")"),
        ("unit != \"*.slice\"", "\"*.slice\": a * in a text stands for itself; write not unit.endsWith(\".slice\")"),
        ("unit in [\"*a*\"]", "\"*a*\": a * in a text stands for itself; write unit.contains(\"a\")"),
        ("unit == NULL", "NULL: NULL is the name of a field here; write unit == null"),
        ("FALSE == kernel", "FALSE: FALSE is the name of a field here; write false == kernel"),
        (
            "time > timestamp(2026-01-01)",
            "2026-01-01: 2026-01-01 is a subtraction; write timestamp(\"2026-01-01T00:00:00Z\")"
        ),
    ])
    func `what is hardly meant is warned of`(expression: String, warning: String) throws {
        #expect(try warnings(expression) == [warning])
    }

    @Test(arguments: [
        "priority >= 0", "priority <= 7", "priority != 9", "priority in [0, 7]", "unit == \"a*b\"", "unit == \"**\"",
        "message == \"*** done ***\"", "unit == null", "pid == -1", "unit.contains(\"*\")", "\"x*\" == \"x*\"",
    ])
    func `what can be meant is not`(expression: String) throws {
        #expect(try warnings(expression) == [])
    }

    @Test func `a warning is shown with its place`() throws {
        let warning = try #require(try compile("kernel &&\n  priority == 9").warnings.first)
        #expect(warning.line == 2 && warning.column == 15)
        #expect(
            warning.description == """
                line 2, column 15: priority is 0 to 7, so that this never holds
                    priority == 9
                                ^
                """
        )
        let own = try compile("kernel && unit == 'a'").warning(aboutFieldAt: 1, "no record has it")
        #expect(own.description == "line 1, column 11: no record has it\n  kernel && unit == 'a'\n            ^^^^")
    }

    @Test func `there are sixteen at most, and an explanation has them all`() throws {
        let filter = try compile(Array(repeating: "priority == 9", count: 100).joined(separator: " || "))
        #expect(filter.warnings.count == 16)
        #expect(filter.explain().warnings == filter.warnings)
        #expect(filter.explain().description.contains("\nWarning: line 1, column 13: priority is 0 to 7"))
    }
}
