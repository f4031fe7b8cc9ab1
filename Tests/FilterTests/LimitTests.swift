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

    @Test func `a pattern of more than 65 536 bytes is refused`() throws {
        #expect(refusal(of: "message =~ '\(String(repeating: "x", count: 65_536))'") == nil)
        #expect(refusal(of: "message =~ '\(String(repeating: "x", count: 65_537))'")?.contains("at most 65536") == true)
        let pattern = SampleRecord(message: "x", identifier: String(repeating: "x", count: 65_537))
        #expect(throws: EvaluationError.self) { try value(of: "message.matches(identifier)", pattern) }
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

    @Test(.timeLimit(.minutes(1)), arguments: ["(x+x+)+y", "(x|xx|x*)*y", "x*x*x*x*x*x*x*x*x*x*y", "(?:x?){500}y"])
    func `a hostile pattern takes time linear in the text`(pattern: String) throws {
        #expect(
            try !compile("message =~ r'\(pattern)'").matches(
                SampleRecord(message: String(repeating: "x", count: 100_000))
            )
        )
    }
}
