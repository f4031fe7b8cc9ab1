import Testing

@testable import Filter

@Suite struct ParserTests {
    @Test(arguments: [
        ("a || b && c", "(|| a (&& b c))"),
        ("a && b || c && d", "(|| (&& a b) (&& c d))"),
        ("(a || b) && c", "(&& (|| a b) c)"),
        ("a == b + c * d", "(== a (+ b (* c d)))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a / b * c % d", "(% (* (/ a b) c) d)"),
        ("a + b < c - d && e", "(&& (< (+ a b) (- c d)) e)"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a || b ? c : d", "(? (|| a b) c d)"),
        ("a in [1, 2] || b", "(|| (in a (list 1 2)) b)"),
        ("1 + 2 in [3]", "(in (+ 1 2) (list 3))"),
        ("!a == b", "(== (! a) b)"),
        ("!a.b", "(! (select.b a))"),
        ("-a.b(1)[2]", "(- (index (call.b a 1) 2))"),
        ("a.b.c", "(select.c (select.b a))"),
        ("a < b == c", "(== (< a b) c)"),
    ])
    func `operators bind as CEL says`(text: String, expected: String) {
        #expect(outline(of: text) == expected)
    }

    @Test(arguments: [
        ("a and b or not c", "(|| (&& a b) (! c))"),
        ("not a == b", "(! (== a b))"),
        ("not(a) and b", "(&& (! a) b)"),
        ("not (a) == b", "(! (== a b))"),
        ("not a in [1] or b", "(|| (! (in a (list 1))) b)"),
        ("not not not a", "(! a)"),
        ("not not a", "(! (! a))"),
        ("not !a", "(! (! a))"),
        ("a =~ 'x' and b !~ 'y'", "(&& (=~ a 'x') (!~ b 'y'))"),
        ("a + b =~ 'x'", "(=~ (+ a b) 'x')"),
        ("a.and(b).or.not", "(select.not (select.or (call.and a b)))"),
        ("not", "not"),
        ("not + 1", "(+ not 1)"),
        ("and && or", "(&& and or)"),
        ("not.x", "(select.x not)"),
    ])
    func `words are operators only where CEL has no name`(text: String, expected: String) {
        #expect(outline(of: text) == expected)
    }

    @Test(arguments: [
        ("-1", "-1"),
        ("- 1", "-1"),
        ("--1", "(- -1)"),
        ("---1", "(- (- -1))"),
        ("-----1", "(- (- -1))"),
        ("-(1)", "(- 1)"),
        ("- - a", "(- (- a))"),
        ("- - - a", "(- a)"),
        ("!!!!a", "(! (! a))"),
        ("!-1", "(! -1)"),
        ("1 - 1", "(- 1 1)"),
        ("1 -1", "(- 1 1)"),
        ("1 - -1", "(- 1 -1)"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("-1.5e3", "-1500.0"),
        ("-a.b", "(- (select.b a))"),
        ("-1.size()", "(call.size -1)"),
    ])
    func `a minus before a number is the number's sign`(text: String, expected: String) {
        #expect(outline(of: text) == expected)
    }

    @Test(arguments: [
        ("f()", "(call f)"),
        ("f(1, 2)", "(call f 1 2)"),
        ("[1, 2,]", "(list 1 2)"),
        ("[]", "(list)"),
        ("{'a': 1, 'b': [2],}", "(map 'a' 1 'b' (list 2))"),
        (".a.b", "(select.b .a)"),
        ("a.`x-y/z.w`", "(select.x-y/z.w a)"),
        ("a.for.while()", "(call.while (select.for a))"),
        ("a // comment\n && b // end", "(&& a b)"),
        ("\t\r\n\u{0C}a", "a"),
        ("((((a))))", "a"),
    ])
    func `operands and blanks`(text: String, expected: String) {
        #expect(outline(of: text) == expected)
    }

    @Test func `a range covers an operand with its parentheses`() throws {
        let source = SourceText("a == (b + c)")
        guard case .binary(_, let sign, _, let right) = try Parser.parse(source).kind else {
            Issue.record("not a comparison")
            return
        }
        #expect(source.text(right.range) == "(b + c)")
        #expect(source.text(sign) == "==")
    }
}
