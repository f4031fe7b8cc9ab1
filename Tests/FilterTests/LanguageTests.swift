import Glibc
import Testing

@testable import Filter

/// The language's semantics beyond the conformance suite.
@Suite struct LanguageTests {
    @Test(arguments: [
        // Maps
        "{'b': 1, 'a': 2}.map(k, k) == ['a', 'b']", "{1: 'a', 2u: 'b'}[2] == 'b'", "size({}) == 0 && {} == {}",
        "{'a': 1} == {'a': 1.0} && {'a': 1} != {'b': 1}", "'a' in {'a': null} && !('b' in {'a': null})",
        "{true: 1, 1: 2, 'x': 3}[true] == 1", "has({'a': null}.a)", "!has({'a': 1}.b)",
        "{'a': {'b': [1, 2]}}.a.b[1] == 2", "{'a-b': 1}.`a-b` == 1", "!(1.5 in {1: 1})", "!(null in {'a': 1})",
        // Macros
        "[1, 2, 3].all(x, x > 0) && ![1, 2].all(x, x > 1)", "[1, 2].exists(x, x == 2)",
        "[1, 2, 2].exists_one(x, x == 1)",
        "[1, 2].existsOne(x, x == 1)", "[1, 2, 3].map(x, x * 2) == [2, 4, 6]",
        "[1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
        "[1, 2, 3].filter(x, x % 2 == 1) == [1, 3]", "['a', 'b'].map(x, [x, x + x]) == [['a', 'aa'], ['b', 'bb']]",
        "['a'].transformMap(i, v, v + string(i)) == {0: 'a0'}", "{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'}",
        "[1, 2].transformList(i, v, i * 10 + v) == [1, 12]", "{'a': 1, 'b': 2}.transformList(k, v, v > 1, k) == ['b']",
        "[1].exists(unit, unit == 1)", "[[1, 2], [3]].exists(x, x.exists(y, y == 3))",
        "[1, 0].exists(x, 1 / x == 1)", "![0, 2].all(x, 1 / x == 1)",
        // Optionals
        "optional.of(1).value() == 1", "optional.none().orValue(5) == 5", "{'a': 1}.?b.orValue(2) == 2",
        "{'a': {'b': 1}}.?a.?b.value() == 1", "!{}.?a.?b.?c.hasValue()", "[1][?1].orValue(7) == 7",
        "[?optional.of(1), ?optional.none(), 2] == [1, 2]", "{?'a': optional.none()} == {}",
        "optional.of(2).optMap(x, x * 2).value() == 4", "optional.none().or(optional.of(3)).value() == 3",
        "[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && ![].first().hasValue()",
        "optional.unwrap([optional.of(1), optional.none()]) == [1]", "[optional.of(1)].unwrapOpt() == [1]",
        "optional.ofNonZeroValue(duration('0s')) == optional.none()",
        // Bindings
        "cel.bind(x, 5, x + x) == 10", "cel.bind(x, 1 / 0, true)", "cel.bind(x, 1, cel.bind(x, x + 1, x)) == 2",
        "[1, 2].map(x, cel.bind(y, x * x, y + 1)) == [2, 5]",
        // Times
        "timestamp('2024-02-29T23:30:00Z').getDate('Europe/Berlin') == 1",
        "timestamp('2024-07-01T12:00:00Z').getHours('Europe/Berlin') == 14",
        "timestamp('2024-01-01T12:00:00Z').getHours('Europe/Berlin') == 13",
        "timestamp('2150-07-01T12:00:00Z').getHours('Europe/Berlin') == 14",
        "timestamp('2150-01-01T12:00:00Z').getHours('Australia/Sydney') == 23",
        "timestamp('1850-01-01T00:00:00Z').getMinutes('Europe/Berlin') == 53",
        "timestamp('2024-01-01T00:00:00Z').getHours('+05:30') == 5", "timestamp(0).getDayOfWeek() == 4",
        "timestamp('2024-12-31T00:00:00Z').getDayOfYear() == 365",
        "timestamp('0001-01-01T00:00:00Z').getFullYear('-01:00') == 0",
        "duration('1d') == duration('24h') && duration('1w2d') == duration('216h')",
        "duration('1h30m').getMinutes() == 90",
        "now - now == duration('0s')", "now > timestamp('2020-01-01T00:00:00Z')",
        // Text
        "'ab'.charAt(2) == ''", "'aXbX'.replace('X', '-', 1) == 'a-bX'", "'ab'.replace('', '.') == '.a.b.'",
        "'aXbX'.replace('X', '-', -9223372036854775807 - 1) == 'a-b-'",
        "'a,b'.split(',', -9223372036854775807 - 1) == ['a', 'b']",
        "'a,b,c'.split(',', 2) == ['a', 'b,c']", "'äö'.split('') == ['ä', 'ö']", "''.split(',') == ['']",
        "''.split('') == []",
        "'äbä'.lastIndexOf('ä') == 2", "'äbä'.indexOf('ä', 1) == 2", "'abc'.substring(1, 2) == 'b'",
        "'ÄbC'.lowerAscii() == 'Äbc'",
        "' \t\u{a0}x '.trim() == 'x'", "'aé'.reverse() == 'éa'", "['a', 'b'].join('-') == 'a-b'",
        "strings.quote('\\u001b\\a') == '\"\\u001b\\\\a\"'",
        "strings.quote('a\"b\\n') == '\"a\\\\\"b\\\\n\"'",
        "'%s %d %.2f %e %x %X %o %b %%'.format(['a', 1, 1.5, 1.0, 255, b'\\xab', 8, true]) == 'a 1 1.50 1.000000e+00 ff AB 10 1 %'",
        "'%s'.format([{'b': [1, null], 'a': 1.0}]) == '{a: 1, b: [1, null]}'", "'%d'.format([-5]) == '-5'",
        "base64.encode(b'\\xff\\xfe') == '//4=' && base64.decode('//4') == b'\\xff\\xfe'",
        // Numbers
        "math.greatest(1, 2.5, 2u) == 2.5", "math.least([3, 1, 2]) == 1",
        "math.abs(-3) == 3 && math.sign(-2.0) == -1.0",
        "math.round(-2.5) == -3.0 && math.trunc(-2.7) == -2.0 && math.ceil(1.1) == 2.0 && math.floor(1.9) == 1.0",
        "math.sqrt(9) == 3.0", "math.bitShiftRight(-1, 60) == 15", "math.bitShiftLeft(1, 64) == 0",
        "math.bitAnd(12u, 10u) == 8u && math.bitOr(1, 2) == 3 && math.bitXor(3, 1) == 2 && math.bitNot(0) == -1",
        "math.isNaN(0.0 / 0.0) && math.isInf(1.0 / 0.0) && math.isFinite(1.0)",
        // Addresses
        "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP('11.0.0.1')",
        "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')", "ip('::1').isLoopback() && ip('127.9.9.9').isLoopback()",
        "string(ip('2001:DB8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'",
        "string(ip('1::')) == '1::' && string(ip('::')) == '::'",
        "isIP('1.2.3.4') && !isIP('1.2.3.04') && !isIP('1::2::3') && !isIP('fe80::1%eth0') && isCIDR('::/0')",
        "cidr('::/0').prefixLength() == 0 && cidr('1.2.3.4/32').ip() == ip('1.2.3.4') && ip('1.2.3.4').family() == 4",
        "ip('::ffff:c0a8:1') == ip('192.168.0.1') && ip('::ffff:c0a8:1') != ip('192.168.0.2')",
        "ip('192.168.0.1') in [ip('::1'), ip('::ffff:c0a8:1')] && ip('::ffff:7f00:1').isLoopback()",
        "cidr('::ffff:0:0/96').containsIP('10.0.0.1') && cidr('10.0.0.0/8').containsIP('::ffff:a00:1')",
        "!cidr('::/0').containsIP('10.0.0.1') && cidr('::/0').containsIP('::ffff:a00:1')",
        "cidr('::ffff:a00:0/104') == cidr('10.0.0.0/8') && cidr('::ffff:a00:0/104') != cidr('10.0.0.0/9')",
        "cidr('::ffff:a00:0/104').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR('::ffff:a00:0/104')",
        "string(ip('::ffff:c0a8:1')) == '::ffff:c0a8:1' && ip('::ffff:c0a8:1').family() == 6",
        "ip('10.0.0.1').isGlobalUnicast() && !ip('127.0.0.1').isGlobalUnicast()", "type(ip('::1')) == net.IP",
        // Types
        "type({}) == map && type(optional.none()) == optional_type && type(now) == google.protobuf.Timestamp",
    ])
    func `holds`(expression: String) throws {
        #expect(try compile(expression).matches(SampleRecord()), "\(expression)")
    }

    @Test(arguments: [
        ("{'a': 1}.b == 1", "the map has no such key"), ("{'a': 1}[dyn(2)] == 1", "the map has no such key"),
        ("optional.none().value() == 1", "the optional has no value"),
        ("'abc'.charAt(4) == ''", "the text has no such position"),
        ("'abc'.substring(2, 1) == ''", "the end lies before the start"),
        ("math.bitShiftLeft(1, -1) == 0", "bits cannot be shifted by a negative number"),
        ("math.greatest([]) == 0", "the list is empty"),
        ("math.abs(-9223372036854775808) == 0", "the result does not fit into 64 bits"),
        ("time.getHours(message) == 1", "this system knows no such time zone"),
        ("ip(message) == ip('::1')", "the text is no IP address or network"),
        ("message.format([]) == ''", "the format has a clause that means nothing"),
        ("'%d'.format(fields('unit')) == ''", "the format asks for more values than the list has"),
        ("'%s'.format([optional.of(1)]) == ''", "this cannot be done with text and a list"),
        ("[1].map(x, {dyn(1.5): x}) == []", "a floating-point number cannot be the key of a map"),
        ("[1, 1].transformMapEntry(i, v, {v: i}) == {}", "a key stands twice in the map"),
        ("dyn(5).exists(x, x == 1)", "this cannot be done with a whole number"),
        ("[?dyn(1)] == []", "an optional is needed, not a whole number"),
        ("[1].filter(x, dyn(x)) == []", "true or false is needed, not a whole number"),
        ("dyn(message).foo == 1", "text has no members"),
        ("base64.decode('a') == b''", "text with this content cannot be converted"),
    ])
    func `fails, and says why`(expression: String, message: String) {
        let record = SampleRecord([0: .text(Array("x%y".utf8)), 4: .microseconds(0)])
        let error = #expect(throws: EvaluationError.self) { try value(of: expression, record) }
        #expect(error?.message == message)
    }

    @Test func `a JSON field is what its text says`() throws {
        let text =
            #"{"level": "warn", "n": [1, 2.5, -3e2, 18446744073709551615], "a": {"b": null, "é\u00e9\n": true}, "n": []}"#
        let record = SampleRecord([108: .json(text)])
        for expression in [
            "PRIORITY.level == 'warn'", "has(PRIORITY.a.b) && PRIORITY.a.b == null && !has(PRIORITY.c)",
            "PRIORITY.n == []",
            "PRIORITY.a['éé\\n'] == true", "PRIORITY.?x.?y.orValue(1) == 1", "has(PRIORITY)",
            "PRIORITY.exists(k, v, k == 'level' && v.startsWith('w'))",
        ] {
            #expect(try compile(expression).matches(record), "\(expression)")
        }
        let numbers = SampleRecord([108: .json("[1, 2.5, -3e2, 18446744073709551615, 1e400]")])
        #expect(try compile("PRIORITY[0] == 1").matches(numbers))
        #expect(
            try compile("PRIORITY[1] == 2.5 && PRIORITY[2] == -300.0 && type(PRIORITY[3]) == uint").matches(numbers)
        )
        for wrong in [
            "", "{", "[1,]", "{\"a\" 1}", "nul", "01", "1.", "\"\\x\"", "\"\n\"", "[1] 2", "{1: 2}", "+1", "\"a",
        ] {
            let filter = try compile("PRIORITY == 1 || true == false")
            guard case .failed(let error) = filter.evaluate(SampleRecord([108: .json(wrong)])) else {
                Issue.record("\(wrong) was taken for JSON")
                continue
            }
            #expect(error.message == "the field's text is not JSON")
        }
        func nested(_ depth: Int) -> SampleRecord {
            SampleRecord([108: .json(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))])
        }
        #expect(try compile("PRIORITY != []").matches(nested(100)))
        guard case .failed(let error) = try compile("PRIORITY != []").evaluate(nested(101)) else {
            Issue.record("lists 101 deep were taken")
            return
        }
        #expect(error.message == "the field's text is not JSON")
    }

    @Test func `a field's further values are a list`() throws {
        let record = SampleRecord(
            [0: .text(Array("a".utf8))],
            more: [0: [.text(Array("b".utf8)), .text(Array("a".utf8))]]
        )
        #expect(
            try compile("fields('message') == ['a', 'b', 'a'] && message == 'a' && fields('unit') == []").matches(
                record
            )
        )
        #expect(try compile("'b' in fields('message') && fields('message').size() == 3").matches(record))
    }

    @Test func `structured fields are lists and maps`() throws {
        let record = SampleRecord([
            108: .map([
                .text(Array("a".utf8)), .list([.int(1), .null]), .text(Array("b".utf8)), .duration(5_000_000_000),
            ])
        ])
        #expect(try compile("PRIORITY.a == [1, null] && PRIORITY.b == duration('5s')").matches(record))
        let twice = SampleRecord([108: .map([.int(1), .int(2), .uint(1), .int(3)])])
        guard case .failed(let error) = try compile("size(PRIORITY) >= 0").evaluate(twice) else {
            Issue.record("a map with a key twice was taken")
            return
        }
        #expect(error.message == "a key stands twice in the map")
        #expect(try compile("PRIORITY == null && has(PRIORITY) && !has(_X)").matches(SampleRecord([108: .null])))
    }

    @Test func `every record sees one moment as now`() throws {
        // So many that time passes between the first and the last.
        let list = (0..<2_000).map(String.init).joined(separator: ",")
        #expect(try compile("[\(list)].map(x, now).all(t, t == now)").matches(SampleRecord()))
        let old = SampleRecord([4: .microseconds(1)])
        #expect(try compile("age == now - time && age > duration('400000h')").matches(old))
        #expect(throws: EvaluationError.self) { try value(of: "age < duration('1h')") }
    }

    @Test func `what a filter says is counted`() throws {
        let filter = try compile("pid > 1")
        let tally = FilterTally()
        let records = [
            SampleRecord(pid: 1), SampleRecord(pid: 2), SampleRecord(pid: 3), SampleRecord(), SampleRecord(unit: "x"),
        ]
        let selected = records.filter { tally.count(filter.evaluate($0)) }
        #expect(selected.count == 2)
        #expect((tally.matched, tally.rejected, tally.failed) == (2, 1, 2))
        #expect(tally.firstError?.part == "pid > 1")
    }

    nonisolated(unsafe) private static let german = newlocale(1 << LC_NUMERIC, "de_DE.UTF-8", nil)

    @Test(.enabled(if: german != nil, "The locale de_DE.UTF-8 is missing."))
    func `numbers are formatted alike in every locale`() throws {
        let before = uselocale(Self.german)
        defer { uselocale(before) }
        #expect(try compile("'%.1f %.1e'.format([2.5, 2.5]) == '2.5 2.5e+00'").matches(SampleRecord()))
    }
}
