/// Turns tokens into an expression, by recursive descent with bounded depth.
struct Parser {
    let source: SourceText
    var lexer: Lexer
    var token: Token
    /// The token before the current one.
    var last: Token?
    var nesting = 0
    /// Parentheses and brackets that are still open, innermost last.
    var open: [Token] = []

    /// Levels of parentheses, operators and calls within each other, at most.
    static let depthLimit = FilterLimits.depth

    private init(_ source: SourceText) throws(Complaint) {
        self.source = source
        lexer = Lexer(source)
        token = try lexer.next()
    }

    static func parse(_ source: SourceText, lengthLimit: Int = FilterLimits().length) throws(Complaint) -> Expression {
        try checkLength(source, lengthLimit)
        var parser = try Parser(source)
        if parser.token.kind == .end {
            throw Complaint("the expression is empty; write a condition such as priority <= 3", at: parser.token.range)
        }
        let expression = try parser.expression()
        guard parser.token.kind == .end else { throw parser.unexpectedAfterOperand() }
        return expression
    }

    private static func checkLength(_ source: SourceText, _ lengthLimit: Int) throws(Complaint) {
        // A code point has at least one byte, so that short texts need no counting.
        guard source.bytes.count > lengthLimit else { return }
        let count = source.bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        guard count > lengthLimit else { return }
        throw Complaint(
            "the expression has \(count) characters; at most \(lengthLimit) are accepted",
            at: SourceRange(0, 0),
            kind: .overLimit
        )
    }

    mutating func advance() throws(Complaint) {
        last = token
        token = try lexer.next()
    }

    mutating func take(_ symbol: Token.Symbol) throws(Complaint) -> Bool {
        guard token.is(symbol) else { return false }
        try advance()
        return true
    }

    var lastEnd: Int {
        last?.range.upper ?? 0
    }

    /// The token after the current one; `nil` where that is no token at all.
    func following() -> Token? {
        var ahead = lexer
        return try? ahead.next()
    }

    /// Takes the bracket that closes the innermost open one.
    mutating func close(_ symbol: Token.Symbol) throws(Complaint) {
        guard token.is(symbol) else { throw unclosed(symbol) }
        open.removeLast()
        try advance()
    }

    mutating func opening() throws(Complaint) {
        open.append(token)
        try advance()
    }

    /// A node over its operands, unless that makes the tree too deep for the passes that recurse over it.
    func node(_ kind: Expression.Kind, from lower: Int) throws(Complaint) -> Expression {
        let height = 1 + kind.children.reduce(0) { max($0, $1.height) }
        let range = SourceRange(lower, lastEnd)
        guard height <= Self.depthLimit else { throw tooDeep(at: token.range) }
        return Expression(kind: kind, range: range, height: height)
    }

    func tooDeep(at range: SourceRange) -> Complaint {
        Complaint(
            "the expression is nested more than \(Self.depthLimit) levels deep here; split it, or join its parts"
                + " with && and ||",
            at: range,
            kind: .overLimit
        )
    }
}
