extension Checker {
    /// The operands of `&&` or `||`.
    mutating func conditions(_ operands: [Expression], _ joining: String) throws(Complaint) -> [Term] {
        var terms: [Term] = []
        terms.reserveCapacity(operands.count)
        for operand in operands {
            let term = try conditionTerm(operand)
            if options.isChecked, term.type != .bool, term.type != .dynamic {
                if let complaint = alternatives(term, after: terms.last) { throw complaint }
                throw notACondition(term, "\(joining) joins conditions")
            }
            terms.append(term)
        }
        return terms
    }

    func notACondition(_ term: Term, _ need: String) -> Complaint {
        let quoted = quote(term.range)
        let advice: String
        if term.field != nil, let word = ForeignNames.literals[source.text(term.range)], word != "null" {
            return Complaint("\(need), and \(quoted) is the name of a field here; write \(word)", at: term.range)
        }
        switch (term.kind, term.type) {
        case (.field(let index), .string): advice = "write has(\(fields[index].name)), or \(quoted) == \"…\""
        case (.field(let index), .int), (.field(let index), .uint), (.field(let index), .double):
            advice = "write has(\(fields[index].name)), or compare it, as in \(quoted) == 3"
        case (.field(let index), _): advice = "write has(\(fields[index].name)), or compare it"
        case (.constant(.string), _): advice = "write which field to compare, as in message.contains(\(quoted))"
        default: advice = "compare it with something"
        }
        return Complaint("\(need), and \(quoted) is \(term.type.phrase()); \(advice)", at: term.range)
    }

    /// `unit == "a" || "b"`, which people write for `unit in ["a", "b"]`.
    private func alternatives(_ term: Term, after last: Term?) -> Complaint? {
        guard term.constant != nil, let last, case .binary(.equal, let left, let right) = last.kind,
            right.type == term.type
        else { return nil }
        let mend = "\(quote(left.range)) in [\(quote(right.range)), \(quote(term.range))]"
        return Complaint(
            "\(quote(term.range)) alone is no condition; write \(mend)",
            at: term.range
        )
    }
}
