extension Parser {
    /// `condition ? then : otherwise`, the loosest operator; the only one that groups to the right.
    mutating func expression() throws(Complaint) -> Expression {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.depthLimit else { throw tooDeep(at: token.range) }

        let lower = token.range.lower
        let condition = try disjunction()
        let question = token
        guard try take(.question) else { return condition }
        let then = try disjunction()
        guard try take(.colon) else { throw missingColon(question) }
        let otherwise = try expression()
        return try node(.conditional(condition, then: then, otherwise: otherwise), from: lower)
    }

    private mutating func disjunction() throws(Complaint) -> Expression {
        let lower = token.range.lower
        let first = try conjunction()
        guard token.is(.or) || token.isWord("or") else { return first }
        var terms = [first]
        while token.is(.or) || token.isWord("or") {
            try advance()
            terms.append(try conjunction())
        }
        return try node(.or(terms), from: lower)
    }

    private mutating func conjunction() throws(Complaint) -> Expression {
        let lower = token.range.lower
        let first = try negation()
        guard token.is(.and) || token.isWord("and") else { return first }
        var terms = [first]
        while token.is(.and) || token.isWord("and") {
            try advance()
            terms.append(try negation())
        }
        return try node(.and(terms), from: lower)
    }

    /// The word `not` binds looser than a comparison, unlike `!`: `not a == b` is `!(a == b)`.
    private mutating func negation() throws(Complaint) -> Expression {
        let lower = token.range.lower
        var count = 0
        while token.isWord("not"), following()?.surelyBeginsOperand == true {
            count += 1
            try advance()
        }
        return try repeated(count, from: lower, Expression.Kind.not) { (parser) throws(Complaint) in
            try parser.operation(above: 0)
        }
    }

    /// Operands joined by operators that bind tighter than `precedence`.
    private mutating func operation(above precedence: Int) throws(Complaint) -> Expression {
        let lower = token.range.lower
        var left = try prefixed()
        while let infix = infixOperator(), infix.precedence > precedence {
            let range = token.range
            try advance()
            let right = try operation(above: infix.precedence)
            left = try node(.binary(infix, operatorRange: range, left, right), from: lower)
        }
        return left
    }

    private func infixOperator() -> BinaryOperator? {
        switch token.kind {
        case .symbol(let symbol): BinaryOperator(rawValue: symbol.rawValue)
        case .name("in"): .isIn
        default: nil
        }
    }

    /// `!` and `-`, any number of the same one.
    private mutating func prefixed() throws(Complaint) -> Expression {
        let lower = token.range.lower
        var count = 0
        if token.is(.not) {
            while try take(.not) { count += 1 }
            return try repeated(count, from: lower, Expression.Kind.not) { (parser) throws(Complaint) in
                try parser.member()
            }
        }
        while token.is(.minus) {
            // The last minus before a number is the number's own sign, without which the least int could not be written.
            if let literal = try negativeNumber() {
                return try repeated(count, from: lower, Expression.Kind.negate) { (parser) throws(Complaint) in
                    try parser.suffixed(literal)
                }
            }
            try advance()
            count += 1
        }
        return try repeated(count, from: lower, Expression.Kind.negate) { (parser) throws(Complaint) in
            try parser.member()
        }
    }

    /// Applies a prefix operator as often as it was written, but for pairs, which undo each other: two stay, so that the operand's type
    /// is still checked.
    private mutating func repeated(
        _ count: Int,
        from lower: Int,
        _ wrap: (Expression) -> Expression.Kind,
        _ operand: (inout Parser) throws(Complaint) -> Expression
    ) throws(Complaint) -> Expression {
        var result = try operand(&self)
        for _ in 0..<(count > 2 ? 2 - count % 2 : count) {
            result = try node(wrap(result), from: lower)
        }
        return result
    }

    private mutating func negativeNumber() throws(Complaint) -> Expression? {
        let minus = token.range
        guard let number = following() else { return nil }
        let literal: Literal
        switch number.kind {
        case .integer(let magnitude):
            guard magnitude <= Int64.min.magnitude else {
                throw wholeNumberTooLarge(SourceRange(minus.lower, number.range.upper))
            }
            literal = .int(Int64(truncatingIfNeeded: 0 &- magnitude))
        case .double(let value): literal = .double(-value)
        default: return nil
        }
        try advance()
        try advance()
        return try node(.literal(literal), from: minus.lower)
    }

    func wholeNumberTooLarge(_ range: SourceRange) -> Complaint {
        Complaint(
            "\(source.text(range)) does not fit into a signed whole number of 64 bits"
                + (source.bytes[range.lower] == UInt8(ascii: "-") ? "" : "; write \(source.text(range))u for an unsigned one"),
            at: range)
    }
}
