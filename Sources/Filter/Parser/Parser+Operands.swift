extension Parser {
    /// The operand with the selections, calls and indexes that follow it.
    mutating func member(_ operand: Expression) throws(Complaint) -> Expression {
        var result = operand
        while true {
            switch token.kind {
            case .symbol(.dot): result = try selection(result)
            case .symbol(.leftBracket): result = try index(result)
            case .symbol(.leftBrace): throw messageOrStray(result)
            default: return result
            }
        }
    }

    @inline(never)
    private mutating func index(_ operand: Expression) throws(Complaint) -> Expression {
        try opening()
        let isOptional = try take(.question)
        let key = try expression()
        try close(.rightBracket)
        return try node(.index(operand, key, isOptional: isOptional), from: operand.range.lower)
    }

    @inline(never)
    private mutating func selection(_ receiver: Expression) throws(Complaint) -> Expression {
        try advance()
        let isOptional = try take(.question)
        let member = token
        let name: String
        switch member.kind {
        case .name(let word) where !ReservedWords.literals.contains(word): name = word
        case .quotedName(let quoted): name = quoted
        default:
            throw Complaint(
                "expected a name after the \(isOptional ? ".?" : "dot"), found \(found())",
                at: member.range
            )
        }
        try advance()
        guard token.is(.leftParenthesis), member.kind == .name(name), !isOptional else {
            return try node(
                .select(receiver, member: name, memberRange: member.range, isOptional: isOptional),
                from: receiver.range.lower
            )
        }
        let arguments = try self.arguments()
        return try node(
            .call(name: name, nameRange: member.range, receiver: receiver, arguments: arguments),
            from: receiver.range.lower
        )
    }

    @inline(never)
    private mutating func arguments() throws(Complaint) -> [Expression] {
        try opening()
        var arguments: [Expression] = []
        while !token.is(.rightParenthesis) {
            arguments.append(try expression())
            guard try take(.comma) else { break }
            if token.is(.rightParenthesis) { throw expectedOperand() }
        }
        try close(.rightParenthesis)
        return arguments
    }

    mutating func primary() throws(Complaint) -> Expression {
        switch token.kind {
        case .symbol(.leftParenthesis): return try parenthesised()
        case .symbol(.leftBracket): return try list()
        case .symbol(.leftBrace): return try map()
        case .name(let name): return try named(name, isAbsolute: false, from: token.range.lower)
        case .symbol(.dot):
            let lower = token.range.lower
            try advance()
            guard case .name(let name) = token.kind else {
                throw Complaint("expected a name after the dot, found \(found())", at: token.range)
            }
            return try named(name, isAbsolute: true, from: lower)
        default: return try number()
        }
    }

    @inline(never)
    private mutating func number() throws(Complaint) -> Expression {
        switch token.kind {
        case .integer(let value):
            guard let value = Int64(exactly: value) else { throw wholeNumberTooLarge(token.range) }
            return try literal(.int(value))
        case .unsigned(let value): return try literal(.uint(value))
        case .double(let value): return try literal(.double(value))
        case .string(let content): return try literal(.string(content))
        case .bytes(let content): return try literal(.bytes(content))
        case .symbol(.minus):
            // Only reached after another prefix operator, as in !-1.
            guard let number = try negativeNumber() else { throw expectedOperand() }
            return number
        default: throw expectedOperand()
        }
    }

    /// The number with the minus before it; `nil` when something else follows the minus.
    @inline(never)
    mutating func negativeNumber() throws(Complaint) -> Expression? {
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

    private func wholeNumberTooLarge(_ range: SourceRange) -> Complaint {
        let isNegative = source.bytes[range.lower] == UInt8(ascii: "-")
        let advice = isNegative ? "" : "; write \(source.text(range))u for an unsigned one"
        return Complaint("\(source.text(range)) does not fit into a signed whole number of 64 bits\(advice)", at: range)
    }

    @inline(never)
    private mutating func parenthesised() throws(Complaint) -> Expression {
        let lower = token.range.lower
        try opening()
        let inner = try expression()
        try close(.rightParenthesis)
        return inner.widened(to: SourceRange(lower, lastEnd))
    }

    @inline(never)
    private mutating func list() throws(Complaint) -> Expression {
        let lower = token.range.lower
        try opening()
        var elements: [Expression.ListElement] = []
        while !token.is(.rightBracket) {
            let isOptional = try take(.question)
            elements.append(Expression.ListElement(value: try expression(), isOptional: isOptional))
            guard try take(.comma) else { break }
        }
        try close(.rightBracket)
        return try node(.list(elements), from: lower)
    }

    @inline(never)
    private mutating func literal(_ literal: Literal) throws(Complaint) -> Expression {
        let lower = token.range.lower
        try advance()
        return try node(.literal(literal), from: lower)
    }

    @inline(never)
    private mutating func named(_ name: String, isAbsolute: Bool, from lower: Int) throws(Complaint) -> Expression {
        switch name {
        case "true": return try literal(.bool(true))
        case "false": return try literal(.bool(false))
        case "null": return try literal(.null)
        case "in": throw expectedOperand()
        case "not" where following()?.surelyBeginsOperand == true: throw misplacedNot()
        case "if": throw Complaint("found if; write condition ? then : otherwise", at: token.range)
        case _ where ReservedWords.all.contains(name):
            throw Complaint("\(name) is a reserved word of the language and cannot name a field", at: token.range)
        default: break
        }
        let nameRange = token.range
        try advance()
        guard token.is(.leftParenthesis) else { return try node(.name(name, isAbsolute: isAbsolute), from: lower) }
        let arguments = try self.arguments()
        return try node(.call(name: name, nameRange: nameRange, receiver: nil, arguments: arguments), from: lower)
    }

    @inline(never)
    private mutating func map() throws(Complaint) -> Expression {
        let lower = token.range.lower
        try opening()
        var entries: [Expression.MapEntry] = []
        while !token.is(.rightBrace) {
            let isOptional = try take(.question)
            let key = try expression()
            guard try take(.colon) else {
                throw Complaint(
                    "expected : between a map's key and value, found \(found()); a list is written with [ ]",
                    at: token.range
                )
            }
            entries.append(Expression.MapEntry(key: key, value: try expression(), isOptional: isOptional))
            guard try take(.comma) else { break }
        }
        try close(.rightBrace)
        return try node(.map(entries), from: lower)
    }
}
