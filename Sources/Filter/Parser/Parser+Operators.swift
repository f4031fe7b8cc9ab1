extension Parser {
    /// `condition ? then : otherwise`, the loosest operator; the only one that groups to the right.
    mutating func expression() throws(Complaint) -> Expression {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.depthLimit else { throw tooDeep(at: token.range) }

        let first = try operation()
        guard token.is(.question) else { return first }
        return try conditional(first)
    }

    /// A chain of any length costs no depth while it is read; the tree's height bounds it.
    private mutating func conditional(_ first: Expression) throws(Complaint) -> Expression {
        var branches: [(condition: Expression, then: Expression)] = []
        var last = first
        while token.is(.question) {
            let question = token
            try advance()
            let then = try operation()
            guard try take(.colon) else { throw missingColon(question) }
            branches.append((last, then))
            guard branches.count <= Self.depthLimit else { throw tooDeep(at: token.range) }
            last = try operation()
        }
        for branch in branches.reversed() {
            last = try node(
                .conditional(branch.condition, then: branch.then, otherwise: last),
                from: branch.condition.range.lower
            )
        }
        return last
    }

    /// Operands and the operators between them.
    private mutating func operation() throws(Complaint) -> Expression {
        var operands: [Expression] = []
        var pending: [PendingOperator] = []
        while true {
            try takeNots(&pending)
            operands.append(try operand())
            guard let kind = infixOperator() else { break }
            try push(kind, &operands, &pending)
            try advance()
        }
        while !pending.isEmpty { try reduce(&operands, &pending) }
        return operands[0]
    }

    /// The word `not`, where a whole condition may begin.
    private mutating func takeNots(_ pending: inout [PendingOperator]) throws(Complaint) {
        let lower = token.range.lower
        var count = 0
        if let last = pending.last, case .binary = last.kind { return }
        while token.isWord("not"), following()?.surelyBeginsOperand == true {
            count += 1
            try advance()
        }
        if count > 0 { pending.append(PendingOperator(kind: .not, lower: lower, count: count)) }
    }

    private func infixOperator() -> PendingOperator.Kind? {
        switch token.kind {
        case .symbol(.or), .name("or"): .or
        case .symbol(.and), .name("and"): .and
        case .symbol(let symbol): BinaryOperator(rawValue: symbol.rawValue).map { .binary($0, token.range) }
        case .name("in"): .binary(.isIn, token.range)
        default: nil
        }
    }

    /// Puts the operator on the list, after joining earlier operators that bind at least as tightly.
    private func push(
        _ kind: PendingOperator.Kind,
        _ operands: inout [Expression],
        _ pending: inout [PendingOperator]
    ) throws(Complaint) {
        let joinsChain = kind == .and || kind == .or
        var next = PendingOperator(kind: kind, lower: 0, count: 1)
        while let last = pending.last, last.precedence >= next.precedence {
            if joinsChain, last.kind == kind {
                pending[pending.count - 1].count += 1
                return
            }
            try reduce(&operands, &pending)
        }
        next = PendingOperator(kind: kind, lower: operands[operands.count - 1].range.lower, count: 1)
        pending.append(next)
    }

    /// Joins the last operator with its operands.
    private func reduce(_ operands: inout [Expression], _ pending: inout [PendingOperator]) throws(Complaint) {
        let last = pending.removeLast()
        let operand = operands.removeLast()
        switch last.kind {
        case .not:
            operands.append(try repeated(last.count, operand, from: last.lower, Expression.Kind.not))
        case .binary(let infix, let range):
            let left = operands.removeLast()
            operands.append(try node(.binary(infix, operatorRange: range, left, operand), from: last.lower))
        case .and, .or:
            let terms = Array(operands[(operands.count - last.count)...]) + [operand]
            operands.removeLast(last.count)
            operands.append(try node(last.kind == .and ? .and(terms) : .or(terms), from: last.lower))
        }
    }

    /// `!` or `-`, any number of the same one, and its operand.
    private mutating func operand() throws(Complaint) -> Expression {
        let lower = token.range.lower
        var count = 0
        if token.is(.not) {
            while try take(.not) { count += 1 }
            return try repeated(count, try member(try primary()), from: lower, Expression.Kind.not)
        }
        while token.is(.minus) {
            // The last minus before a number is the number's own sign, without which the least int could not be
            // written.
            if let number = try negativeNumber() {
                return try repeated(count, try member(number), from: lower, Expression.Kind.negate)
            }
            try advance()
            count += 1
        }
        return try repeated(count, try member(try primary()), from: lower, Expression.Kind.negate)
    }

    /// Applies a prefix operator as often as it was written, except for pairs, which cancel out: two are kept, so
    /// that the operand's type is still checked.
    private func repeated(
        _ count: Int,
        _ operand: Expression,
        from lower: Int,
        _ wrap: (Expression) -> Expression.Kind
    ) throws(Complaint) -> Expression {
        var result = operand
        for _ in 0..<(count > 2 ? 2 - count % 2 : count) {
            result = try node(wrap(result), from: lower)
        }
        return result
    }
}
