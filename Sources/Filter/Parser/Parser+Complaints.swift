extension Parser {
    /// A description of the token here, for a sentence.
    func found() -> String {
        switch token.kind {
        case .end: "the end of the expression"
        case .string, .bytes: "the text \(shortened(token.range))"
        case .integer, .unsigned, .double: "the number \(shortened(token.range))"
        default: shortened(token.range)
        }
    }

    func shortened(_ range: SourceRange) -> String {
        source.shortened(range)
    }

    func expectedOperand() -> Complaint {
        if let foreign = foreignOperand() { return foreign }
        let advice: String
        switch token.kind {
        case .symbol(.and), .symbol(.or), .name("and"), .name("or"): advice = "; a condition is missing before it"
        case .symbol(.rightParenthesis) where open.isEmpty: advice = "; no ( is open here"
        case .symbol(.minus): advice = "; put the negative part in parentheses"
        case .symbol(.not): advice = "; put the negated part in parentheses"
        case .quotedName: advice = "; backticks are for names after a dot, and quotes for text"
        case .symbol(let symbol) where BinaryOperator(rawValue: symbol.rawValue)?.precedence == 1:
            let joins = [.symbol(.and), .symbol(.or), .name("and"), .name("or")].contains(last?.kind)
            advice = joins ? "; each condition names its field" : ""
        case .end:
            if let opening = open.last { return unclosed(matching: opening) }
            advice = ""
        default: advice = ""
        }
        let place = last.map { " after \(shortened($0.range))" } ?? ""
        return Complaint("expected a value\(place), found \(found())\(advice)", at: token.range)
    }

    /// Something follows a complete operand that cannot follow it.
    func unexpectedAfterOperand() -> Complaint {
        func complain(_ advice: String) -> Complaint {
            Complaint("found \(found()) where an operator was expected\(advice)", at: token.range)
        }
        if let last, last.kind == .name("NOT") || last.kind == .name("Not") {
            return Complaint("found \(shortened(last.range)); write not, in small letters", at: last.range)
        }
        if let foreign = foreignOperator() { return complain("; write \(foreign)") }
        switch token.kind {
        case .end: return expectedOperand()
        case .symbol(.rightParenthesis):
            return Complaint("found ) where no ( is open; remove it, or add a ( before", at: token.range)
        case .symbol(.rightBracket):
            return Complaint("found ] where no [ is open; remove it, or add a [ before", at: token.range)
        case .symbol(.rightBrace): return Complaint("found } where no { is open; remove it", at: token.range)
        case .symbol(.colon) where open.last?.is(.leftBracket) == true:
            return complain("; a part of a text is x.substring(0, 3)")
        case .symbol(.colon): return complain("; : belongs to condition ? then : otherwise")
        case .symbol(.comma): return complain("; join conditions with && or ||")
        case .symbol(.question): return complain("; put the inner condition ? then : otherwise in parentheses")
        case .name(let word): return complain(adviceForWord(word))
        default: return complain("; join conditions with && or ||, compare with == or =~")
        }
    }

    private func adviceForWord(_ word: String) -> String {
        let methods: Set<String> = ["contains", "startsWith", "endsWith", "matches"]
        switch word {
        case "IN", "In": return "; write in, in small letters, and the list as [1, 2]"
        case "xor", "XOR": return "; write != between two conditions in parentheses"
        case "not": return "; write not before the whole condition, as in not x in [1, 2]"
        case "is", "IS", "eq", "equals": return "; write == to compare"
        case "AND", "And": return "; write and, or &&"
        case "OR", "Or": return "; write or, or ||"
        case "like", "LIKE", "regex", "REGEXP": return "; write =~ to match a regular expression"
        case _ where methods.contains(word): return "; write .\(word)(…) directly after the text"
        case "order", "limit", "group", "sort", "from": return "; a filter is one condition and nothing else"
        default:
            let verbs: Set = ["select", "where", "search", "filter", "grep"]
            if case .name(let verb)? = last?.kind, verbs.contains(verb.lowercased()) {
                return "; a filter is the condition itself, without \(verb)"
            }
            return "; join conditions with && or ||, and put text in quotes"
        }
    }

    func unclosed(_ expected: Token.Symbol) -> Complaint {
        guard let last = open.last else { return unexpectedAfterOperand() }
        switch token.kind {
        case .end: return unclosed(matching: last)
        case .symbol(.rightParenthesis), .symbol(.rightBracket), .symbol(.rightBrace):
            return Complaint(
                "found \(found()), but the \(source.text(last.range)) opened at column"
                    + " \(source.column(at: last.range.lower)) needs \(expected.rawValue) first",
                at: token.range
            )
        case .symbol(.comma) where expected == .rightParenthesis:
            return Complaint("found , between parentheses; a list is written [1, 2]", at: token.range)
        default: return unexpectedAfterOperand()
        }
    }

    private func unclosed(matching opening: Token) -> Complaint {
        let closing =
            switch opening.kind {
            case .symbol(.leftBracket): "]"
            case .symbol(.leftBrace): "}"
            default: ")"
            }
        return Complaint(
            "this \(source.text(opening.range)) is never closed; add the missing \(closing)",
            at: opening.range
        )
    }

    func missingColon(_ question: Token) -> Complaint {
        guard token.kind == .end else { return unexpectedAfterOperand() }
        return Complaint("this ? has no : after it; write condition ? then : otherwise", at: question.range)
    }

    func misplacedNot() -> Complaint {
        Complaint("not cannot stand here without parentheses; write (not …), or ! before the value", at: token.range)
    }

    func messageOrStray(_ operand: Expression) -> Complaint {
        switch operand.kind {
        case .name, .select:
            Complaint(
                "\(shortened(operand.range)){…} would make a protobuf message, which there are none of here; a map is"
                    + " written {\"key\": value}",
                at: token.range
            )
        default: unexpectedAfterOperand()
        }
    }
}
