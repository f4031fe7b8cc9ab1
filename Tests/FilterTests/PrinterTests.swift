import TestSupport
import Testing

@testable import Filter

@Suite struct PrinterTests {
    @Test(arguments: [
        ("a&&b||c", "a && b || c"), ("(a||b)&&c", "(a || b) && c"), ("not a == b", "!(a == b)"),
        ("a and not b or c", "a && !b || c"), ("a - (b - c)", "a - (b - c)"), ("(a - b) - c", "a - b - c"),
        ("-(5)", "-(5)"), ("- 5", "-5"), ("-(-5)", "-(-5)"), ("(-5).f()", "(-5).f()"), ("!(!a)", "!!a"),
        ("-(a.b)", "-a.b"),
        ("(-a).b", "(-a).b"), ("'x'", "\"x\""), ("r'\\d'", "\"\\\\d\""), ("b'\\xff a'", "b\"\\xff a\""),
        ("a.`b c`.?`in`[?0]", "a.`b c`.?`in`[?0]"), ("{?'a':b}", "{?\"a\": b}"), ("[a,?b,]", "[a, ?b]"),
        ("a?b:c?d:e", "a ? b : c ? d : e"), ("(a?b:c)?d:e", "(a ? b : c) ? d : e"),
        ("a?(b?c:d):e", "a ? (b ? c : d) : e"),
        ("0x1F", "31"), ("1e3", "1000.0"), ("18446744073709551615u", "18446744073709551615u"),
        ("x =~ 'a' && y !~ \"b\"", "x =~ \"a\" && y !~ \"b\""), (".a.b(.c)", ".a.b(.c)"),
        ("[1].all(x,x>0)", "[1].all(x, x > 0)"), ("(a && b) && c", "(a && b) && c"),
        ("a in [1] == true", "a in [1] == true"),
    ])
    func `an expression has one spelling`(written: String, printed: String) throws {

        let expression = try Parser.parse(SourceText(written))
        #expect(ExpressionPrinter.print(expression) == printed)
    }

    @Test func `what is printed is parsed to the same tree`() throws {
        var expressions = RandomExpressions(random: SeededGenerator(5))
        for _ in 0..<Stress.rounds(1_000, stress: 5_000) {
            let expression = expressions.expression(Int.random(in: 0...5, using: &expressions.random))
            let text = ExpressionPrinter.print(expression)
            do throws(Complaint) {
                let parsed = try Parser.parse(SourceText(text))
                guard sameTree(expression, parsed) else {
                    Issue.record("\(text) became \(outline(parsed)), which was \(outline(expression))")
                    return
                }
                guard ExpressionPrinter.print(parsed) == text else {
                    Issue.record("\(text) is printed as \(ExpressionPrinter.print(parsed)) the second time")
                    return
                }
            } catch {
                Issue.record("\(text) is refused: \(error.message)")
                return
            }
        }
    }

    @Test func `a filter compiled from its own text selects the same`() throws {
        let record = SampleRecord(message: "time-out", priority: 3, unit: "a", pid: 1)
        for expression in [
            "priority <= err and not (unit == 'b') and message =~ r'time.?out'",
            "[1, 2].exists(p, pid == p) ? true : false",
            "cel.bind(m, message, m.size() > 3 && m.substring(0, 4) == 'time')", "{'a': pid}.?a.orValue(0) == 1",
        ] {
            let filter = try compile(expression)
            let again = try compile(filter.text)
            #expect(filter.matches(record) && again.matches(record))
            #expect(filter.text == again.text)
        }
    }
}
