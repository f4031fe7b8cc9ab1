import TestSupport
import Testing

@testable import Filter

@Suite struct LimitTests {
    private func nested(_ opening: String, _ core: String, _ closing: String, _ count: Int) -> String {
        String(repeating: opening, count: count) + core + String(repeating: closing, count: count)
    }

    @Test func `chains of conditions have no depth`() throws {
        for joining in [" && ", " and "] {
            let filter = try compile(Array(repeating: "priority == 3", count: 5_000).joined(separator: joining))
            #expect(filter.matches(SampleRecord(priority: 3)))
        }
        let filter = try compile(Array(repeating: "kernel", count: 12_000).joined(separator: "||"))
        #expect(filter.matches(SampleRecord([5: .bool(true)])))
    }

    @Test func `repeated prefix operators have no depth`() throws {
        #expect(try value(of: nested("!", "true", "", 10_000)) == .bool(true))
        #expect(try value(of: nested("!", "true", "", 10_001)) == .bool(false))
        #expect(try value(of: nested("not ", "true", "", 10_001)) == .bool(false))
        #expect(try value(of: nested("-", "5", "", 10_001)) == .int(-5))
        #expect(try value(of: nested("- ", "pid", "", 10_001), SampleRecord(pid: 5)) == .int(-5))
    }

    @Test func `nesting up to the limit works`() throws {
        #expect(try value(of: nested("(", "1", ")", 249)) == .int(1))
        #expect(try value(of: nested("[", "1", "]", 200) + nested("[0]", "", "", 40)) != .null)
        #expect(try value(of: "1" + nested(" + 1", "", "", 240)) == .int(241))
        #expect(try value(of: nested("true ? ", "1", " : 2", 1)) == .int(1))
        #expect(try value(of: nested("false ? 1 : ", "2", "", 240)) == .int(2))
        #expect(try value(of: nested("string(", "1", ")", 240)) == .string(Array("1".utf8)))
    }

    @Test(arguments: [
        ("(", "1", ")"), ("[", "1", "]"), ("{1:", "1", "}"), ("f(", "1", ")"), ("not(", "true", ")"),
        ("!(", "true", ")"),
        ("-(", "1", ")"), ("false ? 1 : ", "2", ""), ("", "1", " + 1"), ("", "1", " == 1"), ("", "a", ".b"),
        ("", "a", "[0]"),
        ("", "a", ".size()"), ("a[", "0", "]"), ("a.f(", "0", ")"), ("1 + (", "1", ")"), ("(true && ", "true", ")"),
        ("(", "", ""), ("[", "", ""), ("!(-(", "1", "))"), ("{", "", ""), ("has(", "a", ")"), ("a ? (", "b", ") : c"),
    ])
    func `deeper nesting is refused with the place, on a small stack too`(
        opening: String,
        core: String,
        closing: String
    ) throws {
        for count in [300, 1_000, 20_000] {
            let expression = nested(opening, core, closing, count)
            let refused = onSmallStack { refusal(of: expression) }
            let text = try #require(refused ?? nil)
            if expression.utf8.count < FilterLimits().length {
                #expect(text.contains("nested more than 250 levels"), "\(text)")
            }
        }
    }

    @Test func `100 000 code points are accepted, one more is not`() throws {
        let padding = String(repeating: " ", count: 99_996)
        #expect(try compile("true" + padding).matches(SampleRecord()))
        #expect(
            refusal(of: "true" + padding + " ")?.hasPrefix(
                "line 1, column 1: the expression has 100001 characters; at most 100000 are accepted"
            ) == true
        )
        // Code points, not bytes.
        let wide = "'" + String(repeating: "本", count: 99_992) + "' != ''"
        #expect(refusal(of: wide) == nil)
    }

    @Test func `joining text over and over stops before it exhausts memory`() throws {
        let record = SampleRecord(message: String(repeating: "x", count: 1 << 20))
        let few = Array(repeating: "message", count: 3).joined(separator: " + ")
        #expect(try compile("size(\(few)) == 3 * 1048576").matches(record))
        let many = Array(repeating: "message", count: 200).joined(separator: " + ")
        let error = #expect(throws: EvaluationError.self) { try value(of: many, record) }
        #expect(error?.message == "the evaluation would need too much memory")
    }

    @Test func `a pattern of more than 10 000 characters is refused, from a record of more than 1 000`() throws {
        #expect(refusal(of: "message =~ '\(String(repeating: "x", count: 10_000))'") == nil)
        #expect(refusal(of: "message =~ '\(String(repeating: "x", count: 10_001))'")?.contains("at most 20000") == true)
        func matched(_ count: Int) throws -> OwnedValue {
            let text = String(repeating: "x", count: count)
            return try value(of: "message.matches(identifier)", SampleRecord(message: text, identifier: text))
        }
        #expect(try matched(1_000) == .bool(true))
        #expect(throws: EvaluationError.self) { try matched(1_001) }
    }

    @Test func `a list of many elements works`() throws {
        let list = (0..<10_000).map(String.init).joined(separator: ", ")
        #expect(try compile("pid in [\(list)]").matches(SampleRecord(pid: 9_999)))
        #expect(try compile("pid in [\(list)]").match == .everything)
    }

    @Test(arguments: [
        "x{100000}", "((((a{100}){100}){100}){100})", "(((", "[[:alpha:", "\\8", "a**", "(?=a)", "\\pX", "(a)\\1",
    ])
    func `a pattern that RE2 has no answer for is refused with its reason`(pattern: String) throws {
        let text = try #require(refusal(of: "message =~ r'\(pattern)'"))
        #expect(text.contains("this regular expression is refused: "))
    }

    /// For sixteen times the text, linear time is 16 times as long and quadratic time 256 times.
    @Test(arguments: ["(x+x+)+y", "(x|xx|x*)*y", "x*x*x*x*x*x*x*x*x*x*y", "(?:x?){500}y"])
    func `a hostile pattern takes time linear in the text`(pattern: String) throws {
        let filter = try compile("message =~ r'\(pattern)'")
        func time(_ count: Int) -> Double {
            let record = SampleRecord(message: String(repeating: "x", count: count))
            return ProcessorTime.least(of: 3) { #expect(!filter.matches(record)) }
        }
        let (short, long) = (time(3_000), time(48_000))
        #expect(long < 64 * short, "\(short) s, then \(long) s")
    }

    // MARK: Cost

    private func refused(_ expression: String, _ limits: FilterLimits = FilterLimits()) -> FilterError? {
        do throws(FilterError) {
            _ = try CompiledFilter(expression, schema: JournalSchema(), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func failure(of expression: String, _ record: SampleRecord, _ limits: FilterLimits = FilterLimits()) throws
        -> String?
    {
        let filter = try CompiledFilter(expression, schema: JournalSchema(), limits: limits)
        guard case .failed(let error) = filter.evaluate(record) else { return nil }
        return error.message
    }

    private func list(_ count: Int) -> String {
        "[" + (0..<count).map(String.init).joined(separator: ",") + "]"
    }

    @Test func `an expression that costs too much for every record is refused, with its cost`() throws {
        let expression = "\(list(300)).map(a, \(list(300)).map(b, \(list(300)).map(c, a + b + c))).size() == 1"
        let error = try #require(refused(expression))
        #expect(error.kind == .overLimit)
        #expect(error.message.hasPrefix("evaluating this costs at least "))
        #expect(error.message.contains("and at most 10000000 is accepted"))
        #expect(refused("\(list(9)).map(a, \(list(9)).map(b, \(list(9)).map(c, a + b + c))).size() == 1") == nil)
    }

    @Test func `an evaluation that costs too much is stopped, whatever would absorb its error`() throws {
        let text = String(repeating: "x,", count: 5_000)
        let record = SampleRecord(message: text)
        let pairs = "message.split(',').all(a, message.split(',').all(b, a + b != 'y'))"
        var limits = FilterLimits()
        if !Stress.isAsked { limits.cost = 100_000 }
        #expect(
            try failure(of: "\(pairs) || true", record, limits)
                == "the evaluation was stopped, because it would cost more than \(limits.cost)"
        )
        #expect(try failure(of: pairs, SampleRecord(message: "a,b")) == nil)
        // A search through a mebibyte costs 100,000, so after a hundred the default limit is reached.
        let searches = "identifier.split(',').all(a, !message.contains(a)) || true"
        func searched(_ count: Int) -> SampleRecord {
            let names = Array(repeating: "y", count: count).joined(separator: ",")
            return SampleRecord(message: String(repeating: "x", count: 1 << 20), identifier: names)
        }
        #expect(
            try failure(of: searches, searched(200))
                == "the evaluation was stopped, because it would cost more than 10000000"
        )
        #expect(try failure(of: searches, searched(50)) == nil)
        limits.cost = 4
        #expect(try failure(of: "priority == 2 && pid == 1", SampleRecord(priority: 2, pid: 1), limits) != nil)
        #expect(try failure(of: "pid == 1", SampleRecord(pid: 1), limits) == nil)
    }

    @Test func `lists that share their parts cannot be compared or written out without end`() throws {
        func grown(_ body: String) -> String {
            var expression = body
            for level in (1...40).reversed() {
                expression = "cel.bind(x\(level), [x\(level - 1), x\(level - 1)], \(expression))"
            }
            return "cel.bind(x0, [pid], \(expression))"
        }
        let record = SampleRecord(pid: 1)
        var limits = FilterLimits()
        if !Stress.isAsked { limits.cost = 100_000 }
        for body in ["x40 == x40", "x40 in [x40]", "[x40].exists(y, y == x40)", "{1: x40} == {1: x40}"] {
            #expect(
                try failure(of: grown(body), record, limits)
                    == "the evaluation was stopped, because it would cost more than \(limits.cost)",
                "\(body)"
            )
        }
        limits = FilterLimits()
        if !Stress.isAsked { limits.memory = 100_000 }
        #expect(
            try failure(of: grown("'%s'.format([x40]) == ''"), record, limits)
                == "the evaluation would need too much memory"
        )
        #expect(try failure(of: grown("x40.size() == 2"), record) == nil)
    }

    @Test func `values are no longer gathered when they would need too much memory`() throws {
        /// A record that never runs out of values.
        struct Endless: FilterRecord {
            final class Count { var asked = 0 }
            let count = Count()

            func value(of field: FieldID) -> FieldValue { value(of: field, at: 0) }

            func value(of field: FieldID, at index: Int) -> FieldValue {
                count.asked += 1
                return .int(Int64(index))
            }
        }
        var limits = FilterLimits()
        limits.memory = 1_000 * MemoryLayout<Value>.stride
        func asked(_ expression: String) throws -> Int {
            let record = Endless()
            let filter = try CompiledFilter(expression, schema: JournalSchema(), limits: limits)
            guard case .failed(let error) = filter.evaluate(record) else { return 0 }
            #expect(error.message == "the evaluation would need too much memory")
            return record.count.asked
        }
        #expect(try asked("fields('message').size() == 0") == 1_001)
        let numbers = list(900)
        for gathering in ["map(b, pid)", "filter(b, pid >= 0)"] {
            // There is room for the first list, and for a hundred values of the second.
            let asked = try asked("\(numbers).map(a, \(numbers).\(gathering)).size() == 0")
            #expect((901..<1_100).contains(asked), "\(gathering)")
        }
    }

    @Test func `values that bindings nest deeper than any expression are not compared or written`() throws {
        func nested(_ body: String) -> String {
            let lists = String(repeating: "[", count: 100)
            let ends = String(repeating: "]", count: 100)
            return (1...50).reversed().reduce(body) { inner, level in
                "cel.bind(v\(level), \(lists)\(level == 1 ? "pid" : "v\(level - 1)")\(ends), \(inner))"
            }
        }
        for body in ["v50 == v50", "'%s'.format([v50]) != ''", "v1 in [v50]"] {
            let message = try failure(of: nested(body), SampleRecord(pid: 1))
            #expect(body == "v1 in [v50]" ? message == nil : message?.contains("cost") == true, "\(message ?? "")")
        }
        let explained = try CompiledFilter(nested("size(v50) == 1"), schema: JournalSchema()).explain().description
        #expect(explained.utf8.count < 4_000_000 && explained.contains("list(…)"))
    }

    @Test func `an expression cannot control the terminal that its explanation is shown on`() throws {
        let filter = try CompiledFilter(
            "priority == 3 && message.contains(\"\u{1b}]0;x\u{7}\")",
            schema: JournalSchema()
        )
        #expect(!filter.explain().description.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        let steering: [Unicode.Scalar] = ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}", "\u{200B}", "\u{7F}", "\u{2028}"]
        for scalar in steering {
            let text = "fields('a\(Character(scalar))[31m\\nb') == []"
            let explained = try CompiledFilter(text, schema: JSONSchema()).explain().description
            #expect(!explained.unicodeScalars.contains(scalar), "\(explained.debugDescription)")
            #expect(explained.contains("[31m␊b\")") && !explained.contains("\nb"), "\(explained.debugDescription)")
        }
    }

    @Test func `macros are nested so deep and no deeper`() throws {
        func nest(_ depth: Int) -> String {
            (0..<depth).reduce("true") { inner, level in "[1].all(x\(level), \(inner))" }
        }
        #expect(refused(nest(6)) == nil)
        let error = try #require(refused(nest(7)))
        #expect(error.kind == .overLimit && error.message.contains("nested more than 6 levels deep"))
        var limits = FilterLimits()
        limits.loopNesting = 1
        #expect(refused("[1].all(x, true) && [2].all(x, true)", limits) == nil)
        #expect(refused("[1].all(x, [2].all(y, true))", limits) != nil)
        #expect(refused("cel.bind(x, 1, [1].all(y, optional.of(y).optMap(z, z).hasValue()))", limits) == nil)
    }

    @Test func `the limits on length and memory can be set`() throws {
        var limits = FilterLimits()
        limits.length = 10
        #expect(refused("pid == 12345", limits)?.kind == .overLimit)
        limits = FilterLimits()
        limits.memory = 1_000
        let record = SampleRecord(message: String(repeating: "x", count: 600))
        #expect(
            try failure(of: "message + message == ''", record, limits) == "the evaluation would need too much memory"
        )
        #expect(try failure(of: "message + 'y' == ''", record, limits) == nil)
    }

    @Test func `regular expressions share what they may take`() throws {
        func alternatives(_ count: Int, _ pattern: String) -> String {
            (0..<count).map { "message =~ '\(pattern)\($0)'" }.joined(separator: " || ")
        }
        #expect(refused(alternatives(128, "a.*b")) == nil)
        let error = try #require(refused(alternatives(129, "a")))
        #expect(error.kind == .overLimit && error.message.hasPrefix("there are 129 regular expressions here"))
        // Each needs some 12,000 instructions. All together may have 40,000.
        let large = #"\\pL{10}"#
        #expect(refused(alternatives(3, large)) == nil)
        #expect(refused(alternatives(4, large))?.message.contains("it would need up to 12") == true)
    }

    @Test func `patterns from records are kept compiled, the last few of them`() throws {
        let filter = try compile("message.matches(identifier) || message =~ unit")
        for round in 0..<3 {
            for number in 0..<40 {
                let pattern = "^x{\(number)}$"
                let record = SampleRecord(
                    message: String(repeating: "x", count: number),
                    unit: pattern,
                    identifier: pattern
                )
                #expect(filter.matches(record), "\(round) \(number)")
            }
        }
        let refused = SampleRecord(message: "x", unit: "(", identifier: "(")
        for _ in 0..<2 {
            guard case .failed(let error) = filter.evaluate(refused) else {
                Issue.record("a pattern that is none was no failure")
                continue
            }
            #expect(error.message.contains("regular expression"))
        }

        let cache = PatternCache()
        func compiled(_ pattern: String) throws -> RegularExpression {
            var allowance = Allowance.unlimited
            return try Array(pattern.utf8).withUnsafeBytes { try cache.expression($0, &allowance).get() }
        }
        let first = try compiled("first")
        for number in 0..<15 { _ = try compiled("other \(number)") }
        #expect(try compiled("first") === first)
        for number in 0..<16 { _ = try compiled("another \(number)") }
        #expect(try compiled("first") !== first)
    }

    @Test func `hostile JSON takes no more than its length`() throws {
        let filter = try compile("PRIORITY.a == 1")
        func time(_ count: Int) -> Double {
            let same = "{" + Array(repeating: "\"a\": 1", count: count).joined(separator: ",") + "}"
            let record = SampleRecord([108: .json(same)])
            return ProcessorTime.least(of: 3) { #expect(filter.matches(record)) }
        }
        // Sixteen times as long, and a little more to keep keys in order. If quadratic, 256 times as long.
        let (short, long) = (time(1_000), time(16_000))
        #expect(long < 80 * short, "\(short) s, then \(long) s")
    }
}
