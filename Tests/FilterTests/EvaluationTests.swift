import Testing

@testable import Filter

@Suite struct EvaluationTests {
    private let record = SampleRecord(
        message: "connection timed out",
        priority: 3,
        unit: "nginx.service",
        pid: 42,
        identifier: "nginx"
    )

    @Test(arguments: [
        "priority <= err && unit == \"nginx.service\" && message =~ \"time.?d\"",
        "priority == 3", "3 == priority", "priority in [1, 2, 3]", "priority < warning", "priority == 3u",
        "priority == 3.0",
        "priority < 3.5", "message.contains('timed')", "message.startsWith('conn')", "message.endsWith('out')",
        "message.matches('^conn.*out$')", "matches(message, 'timed')", "size(message) == 20", "message.size() == 20",
        "unit != 'sshd.service'", "unit in ['sshd.service', 'nginx.service']", "record.unit == unit",
        ".unit == 'nginx.service'",
        "record.?unit.value() == unit", "record.?_HOSTNAME == optional.none()", "record.?_HOSTNAME.orValue('a') == 'a'",
        "has(unit)", "has(record.unit)", "not has(_HOSTNAME)", "!has(record._HOSTNAME)", "_HOSTNAME == null",
        "identifier + '.service' == unit", "pid % 10 == 2", "pid + 1 == 43", "-pid < 0", "string(pid) == '42'",
        "pid > 40 ? priority == 3 : false", "message !~ 'refused'", "'nginx' in [identifier, unit]", "unit > 'n'",
        "[priority, pid][1] == 42", "message =~ identifier || true", "unit =~ identifier", "type(priority) == int",
    ])
    func `a filter that selects the record`(expression: String) throws {
        #expect(try compile(expression).matches(record), "\(expression)")
    }

    @Test(arguments: [
        "priority > err", "priority == 4", "priority in []", "unit == 'nginx'", "message =~ '^timed'", "has(_HOSTNAME)",
        "not has(unit)", "message !~ 'timed'", "unit < 'a'",
    ])
    func `a filter that rejects the record`(expression: String) throws {
        let filter = try compile(expression)
        #expect(!filter.matches(record))
        guard case .rejected = filter.evaluate(record) else {
            Issue.record("not rejected: \(filter.evaluate(record))")
            return
        }
    }

    @Test func `an absent field is null: unequal to everything, and an error for everything else`() throws {
        let empty = SampleRecord()
        #expect(try compile("unit != 'x'").matches(empty))
        #expect(try compile("unit == null").matches(empty))
        #expect(try compile("!(unit in ['a', 'b'])").matches(empty))
        for failing in [
            "priority < 3", "!(priority < 3)", "unit.contains('x')", "size(unit) == 0", "unit.matches('x')",
            "pid + 1 == 2",
        ] {
            let filter = try compile(failing)
            #expect(!filter.matches(empty))
            guard case .failed = filter.evaluate(empty) else {
                Issue.record("\(failing) did not fail")
                continue
            }
        }
    }

    @Test func `a regular expression finds nothing in an absent field, either way round`() throws {
        let empty = SampleRecord()
        #expect(try !compile("message =~ '.*'").matches(empty))
        #expect(try compile("message !~ '.*'").matches(empty))
        #expect(try compile("!(message =~ '.*')").matches(empty))
        #expect(try compile("message !~ identifier").matches(SampleRecord(identifier: "a")))
    }

    @Test(arguments: [
        ("priority < 3 || true", true), ("true || priority < 3", true), ("priority < 3 && false", false),
        ("false && priority < 3", false), ("priority < 3 || pid > 0 || true", true),
        ("true ? true : priority < 3", true), ("(priority < 3 ? true : true) || true", true),
        ("!(priority < 3 && false)", true), ("1 / 0 == 1 || true", true),
        ("priority < 3 || false || pid == null", true),
    ])
    func `what decides absorbs errors on either side`(expression: String, expected: Bool) throws {
        #expect(try value(of: expression) == .bool(expected))
    }

    @Test(arguments: [
        "priority < 3 || false", "false || priority < 3", "true && priority < 3", "priority < 3 && true",
        "!(priority < 3)",
        "priority < 3 ? true : true", "[priority < 3] == [true]",
    ])
    func `an error that nothing absorbs stays an error`(expression: String) {
        #expect(throws: EvaluationError.self) { try value(of: expression) }
    }

    @Test(arguments: [
        ("9223372036854775807 + 1", "the result does not fit into 64 bits"),
        ("-9223372036854775808 - 1", "the result does not fit into 64 bits"),
        ("-(-9223372036854775808)", "the result does not fit into 64 bits"),
        ("-9223372036854775808 / -1", "the result does not fit into 64 bits"),
        ("-9223372036854775808 % -1", "the result does not fit into 64 bits"),
        ("0u - 1u", "the result does not fit into 64 bits"),
        ("1 / 0", "division by zero"), ("1u % 0u", "division by zero"),
        ("[1][1]", "the list has no element at that index"), ("[1][-1]", "the list has no element at that index"),
        ("[1][18446744073709551615u]", "the list has no element at that index"),
        ("int('x')", "text with this content cannot be converted"),
        ("int(9223372036854775808.0)", "the result is out of range"),
        ("string(b'\\xff')", "the bytes are not UTF-8"),
        ("priority < 3", "this cannot be done with null (absent) and a whole number"),
        ("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "the result is out of range"),
        ("duration('2000000h') + duration('2000000h')", "the result is out of range"),
    ])
    func `a failure says what went wrong`(expression: String, message: String) {
        let error = #expect(throws: EvaluationError.self) { try value(of: expression) }
        #expect(error?.message == message)
    }

    @Test func `a failure names its part of the expression`() throws {
        let filter = try compile("kernel ||\n  priority < 3")
        guard case .failed(let error) = filter.evaluate(SampleRecord([5: .bool(false)])) else {
            Issue.record("did not fail")
            return
        }
        #expect(error.part == "priority < 3")
        #expect(
            error.description == """
                line 2, column 3: this cannot be done with null (absent) and a whole number
                    priority < 3
                    ^^^^^^^^^^^^
                """
        )
    }

    @Test func `a dynamic result that is no condition is a failure`() throws {
        let filter = try compile("PRIORITY")
        guard case .failed(let error) = filter.evaluate(SampleRecord([108: .text(Array("3".utf8))])) else {
            Issue.record("did not fail")
            return
        }
        #expect(error.message == "true or false is needed, not text")
        #expect(try compile("PRIORITY").matches(SampleRecord([108: .bool(true)])))
    }

    @Test(arguments: [
        "bytes(message) == b'\\xff\\xfetail'", "message.startsWith(message)", "message.contains('tail')",
        "message.endsWith('tail')", "message =~ 'tail$'", "message.matches('t.il')", "message in [message]",
        "size(message) > 0",
        "message != 'tail'", "message > 'a'",
    ])
    func `text that is not UTF-8 is compared and searched as bytes`(expression: String) throws {
        #expect(try compile(expression).matches(SampleRecord([0: .text([0xFF, 0xFE] + Array("tail".utf8))])))
    }

    @Test func `empty text is text`() throws {
        let record = SampleRecord([0: .text([]), 2: .text([])])
        for expression in [
            "message == ''", "message == unit", "message.contains('')", "message.startsWith('')", "message =~ '^$'",
            "size(message) == 0",
            "message + unit == ''", "has(message)", "!message.contains('a')", "message < 'a'", "message != null",
        ] {
            #expect(try compile(expression).matches(record), "\(expression)")
        }
    }

    @Test func `times from a record compare to the microsecond`() throws {
        let record = SampleRecord([4: .microseconds(1_709_209_800_000_001)])
        #expect(try compile("time > timestamp('2024-02-29T12:30:00Z')").matches(record))
        #expect(try compile("time == timestamp('2024-02-29T12:30:00.000001Z')").matches(record))
        #expect(try compile("time - duration('1us') == timestamp('2024-02-29T12:30:00Z')").matches(record))
        #expect(try compile("time - timestamp('2024-02-29T12:00:00Z') > duration('30m')").matches(record))
        #expect(try compile("time < timestamp('1970-01-01T00:00:00Z')").matches(SampleRecord([4: .microseconds(-1)])))
    }

    @Test func `only fields that can still matter are asked for, and no others`() throws {
        let filter = try compile("priority == 3 && unit == 'a' && message =~ 'x'")
        #expect(filter.fields.map(\.name) == ["priority", "unit", "message"])
        let record = SampleRecord(message: "x", priority: 4, unit: "a")
        #expect(!filter.matches(record))
        #expect(record.asked == [1])
    }

    @Test func `a field named twice is listed once, by its canonical name`() throws {
        #expect(try compile("unit == 'a' || record.unit == 'b' || has(unit)").fields.map(\.name) == ["unit"])
    }

    @Test func `a field whose value has another type than declared is taken as it is`() throws {
        let record = SampleRecord([1: .text(Array("high".utf8))])
        #expect(try !compile("priority <= 3").matches(record))
        #expect(try compile("priority != 3").matches(record))
    }

    @Test func `a filter works from several threads at once`() async throws {
        let filter = try compile("priority <= err && unit == \"nginx.service\" && message =~ \"time.?d\"")
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let record = SampleRecord(message: "timed", priority: 3, unit: "nginx.service")
                    return (0..<500).reduce(0) { count, _ in count + (filter.matches(record) ? 1 : 0) }
                }
            }
            for await count in group { #expect(count == 500) }
        }
    }
}
