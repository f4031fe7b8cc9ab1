/// The schema's knowledge of constants that stand beside its fields.
extension Checker {
    // MARK: Names for numbers

    /// A text beside a field whose numbers have names, as the number; the elements of a list likewise.
    func numbered(_ term: Term, _ expression: Expression, for other: Term) throws(Complaint) -> Term {
        guard let index = other.field, fields[index].type == .int else { return term }
        let field = fields[index]
        switch term.kind {
        case .constant(.string(let text)):
            return try number(text, field, term.range).map { constant(.int($0), term.range) } ?? term
        case .constant(.list(let values)):
            let numbers = try elements(of: values, expression, term.range).map { value, range throws(Complaint) in
                guard case .string(let text) = value, let number = try number(text, field, range) else { return value }
                return .int(number)
            }
            return constant(.list(numbers), term.range)
        case .list(let elements):
            let numbers = try elements.map { element throws(Complaint) in
                guard case .string(let text)? = element.term.constant, !element.isOptional,
                    let number = try number(text, field, element.term.range)
                else { return element }
                return Term.Element(term: constant(.int(number), element.term.range), isOptional: false)
            }
            return Term(kind: .list(numbers), type: .list(.common(numbers.map(\.term.type))), range: term.range)
        default: return term
        }
    }

    private func number(_ text: [UInt8], _ field: FieldDefinition, _ range: SourceRange) throws(Complaint) -> Int64? {
        switch schema.number(for: String(decoding: text, as: UTF8.self), in: field) {
        case .number(let number)?: return number
        case .unknown(reason: let reason)?: throw Complaint(reason, at: range)
        case nil: return nil
        }
    }

    /// Each element with its place.
    private func elements(of values: [OwnedValue], _ expression: Expression, _ range: SourceRange)
        -> [(OwnedValue, SourceRange)]
    {
        guard case .list(let elements) = expression.kind, elements.count == values.count else {
            return values.map { ($0, range) }
        }
        return zip(values, elements).map { ($0, $1.value.range) }
    }

    /// The schema's name for a number, by that name, in other letters, or by a synonym.
    func constantName(_ text: String) -> String? {
        let lowered = text.lowercased()
        return [text, lowered, schema.synonyms[lowered] ?? ""].first { schema.constants[$0] != nil }
    }

    // MARK: Complaints

    /// Why the field can never have the constant, also where its type is wrong.
    func objection(to value: Term, beside field: Term) -> Complaint? {
        guard let index = field.field, let constant = value.constant, field.type == .string, value.type.isNumber,
            case let text = "\(quote(value.range))", case .int = constant,
            let objection = schema.objection(to: text, in: fields[index])
        else { return nil }
        return Complaint("\(finding(field)), \(finding(value)); \(objection.reason)", at: value.range)
    }

    /// The spelling of the value for something that is a constant elsewhere, but not here.
    func foreign(_ term: Term, for type: StaticType) -> String? {
        let text = source.text(term.range)
        if type == .timestamp { return LooseTime.time(text) }
        guard term.field != nil else { return nil }
        if let word = ForeignNames.literals[text] { return type == .bool || word == "null" ? word : nil }
        return type.isNumber ? constantName(text) : nil
    }

    // MARK: Warnings

    /// Warns where a field is compared with a value that it can never have.
    mutating func warnAboutComparison(_ left: Term, _ infix: BinaryOperator, _ right: Term, _ list: Expression) {
        guard infix.precedence == 1 else { return }
        if infix == .matches || infix == .doesNotMatch {
            guard left.constant != nil, right.field != nil else { return }
            let mend = "\(quote(right.range)) \(infix.rawValue) \(quote(left.range))"
            warn("the regular expression stands behind \(infix.rawValue); write \(mend)", at: left.range)
            return
        }
        if infix == .isIn {
            guard case .list(let values)? = right.constant else { return }
            for (value, range) in elements(of: values, list, right.range) {
                warnAboutValue(value, range, of: left, infix)
            }
            return
        }
        if let value = right.constant { warnAboutValue(value, right.range, of: left, infix) }
        if let value = left.constant { warnAboutValue(value, left.range, of: right, infix.mirrored) }
        warnAboutWord(right, beside: left, infix, isLeft: false)
        warnAboutWord(left, beside: right, infix, isLeft: true)
    }

    /// `NULL` may be the name of a field.
    private mutating func warnAboutWord(_ term: Term, beside other: Term, _ infix: BinaryOperator, isLeft: Bool) {
        guard term.field != nil, let word = ForeignNames.literals[source.text(term.range)] else { return }
        let isComparable = word == "null" || other.type.canEqual(.bool)
        let sides = isLeft ? [word, quote(other.range)] : [quote(other.range), word]
        let advice =
            isComparable
            ? "write \(sides.joined(separator: " \(infix.rawValue) "))"
            : "the word is \(word), and text stands in quotes"
        warn("\(quote(term.range)) is the name of a field here; \(advice)", at: term.range)
    }

    private mutating func warnAboutValue(
        _ value: OwnedValue,
        _ range: SourceRange,
        of term: Term,
        _ infix: BinaryOperator
    ) {
        guard let index = term.field else { return }
        let name = quote(term.range)
        switch value {
        case .string(let content) where !infix.isOrdering:
            let text = String(decoding: content, as: UTF8.self)
            let objection = schema.objection(to: text, in: fields[index])
            if let search = Wildcard.search(for: text, isImpossible: objection != nil) {
                let isNot = infix == .notEqual ? "not " : ""
                warn("a * in a text stands for itself; write \(isNot)\(name)\(search)", at: range)
            } else if let objection {
                let comparison = infix == .isIn ? "" : "\(name) \(infix.rawValue) "
                let correction = objection.correction.map { LiteralText.print(.string(Array($0.utf8))) }
                warn(objection.reason + (correction.map { "; write \(comparison)\($0)" } ?? ""), at: range)
            }
        case .int(let number):
            guard let bounds = fields[index].range, !Self.canHold(infix, number, bounds) else { return }
            warn("\(name) is \(bounds.lowerBound) to \(bounds.upperBound), so that this never holds", at: range)
        default: break
        }
    }

    /// Whether any number within the bounds can satisfy the comparison with the constant.
    private static func canHold(_ infix: BinaryOperator, _ number: Int64, _ bounds: ClosedRange<Int64>) -> Bool {
        switch infix {
        case .less: bounds.lowerBound < number
        case .lessOrEqual: bounds.lowerBound <= number
        case .greater: bounds.upperBound > number
        case .greaterOrEqual: bounds.upperBound >= number
        case .notEqual: true
        default: bounds.contains(number)
        }
    }
}
