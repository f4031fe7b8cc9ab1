extension Checker {
    mutating func binary(
        _ infix: BinaryOperator,
        _ operatorRange: SourceRange,
        _ left: Expression,
        _ right: Expression,
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        let (leftTerm, rightTerm) = try operands(left, infix, right)
        warnAboutComparison(leftTerm, infix, rightTerm, right)
        func joined(_ type: StaticType) -> Term {
            alternatives(infix, leftTerm, rightTerm, range)
                ?? Term(kind: .binary(infix, leftTerm, rightTerm), type: type, range: range)
        }
        func resultType(_ leftTerm: Term, _ rightTerm: Term) throws(Complaint) -> StaticType {
            switch infix {
            case .matches, .doesNotMatch: try checkMatch(leftTerm, rightTerm, infix)
            case .isIn: try checkMembership(leftTerm, rightTerm, right)
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                let (first, second) = (leftTerm.type, rightTerm.type)
                if infix.isOrdering ? first.canBeOrdered(with: second) : first.canEqual(second) { return .bool }
                throw chained(left, infix, right, operatorRange)
                    ?? incomparable(leftTerm, infix, rightTerm, operatorRange)
            default:
                guard let type = Self.arithmetic(infix, leftTerm.type, rightTerm.type) else {
                    throw incalculable(leftTerm, infix, rightTerm, operatorRange)
                }
                return type
            }
            return .bool
        }
        var type: StaticType = infix.precedence == 1 ? .bool : .dynamic
        if options.isChecked {
            type = try resultType(leftTerm, rightTerm)
            let doubt = try doubt([leftTerm, rightTerm]) { terms throws(Complaint) in
                _ = try resultType(terms[0], terms[1])
            }
            if let doubt { warn(doubt.message, at: doubt.range) }
        }
        guard infix == .matches || infix == .doesNotMatch else { return joined(type) }
        let match = try match(leftTerm, rightTerm, range)
        return infix == .matches ? match : Term(kind: .not(match), type: .bool, range: range)
    }

    /// Both sides, with a name replaced by its number where a number is expected.
    private mutating func operands(_ left: Expression, _ infix: BinaryOperator, _ right: Expression)
        throws(Complaint) -> (Term, Term)
    {
        var (leftTerm, rightTerm): (Term, Term)
        do throws(Complaint) {
            leftTerm = try term(left)
            rightTerm = try term(right)
        } catch {
            throw completed(error, left, infix, right)
        }
        guard infix == .equal || infix == .notEqual || infix == .isIn else { return (leftTerm, rightTerm) }
        rightTerm = try numbered(rightTerm, right, for: leftTerm)
        if infix != .isIn { leftTerm = try numbered(leftTerm, left, for: rightTerm) }
        return (leftTerm, rightTerm)
    }

    /// Comparing a field that may have several values at once asks each of them.
    private func alternatives(_ infix: BinaryOperator, _ left: Term, _ right: Term, _ range: SourceRange) -> Term? {
        func field(_ term: Term) -> Int? {
            term.field.flatMap { fields[$0].hasAlternatives ? $0 : nil }
        }
        switch infix {
        case .equal, .notEqual:
            guard let index = field(left) ?? field(right) else { return nil }
            let other = field(left) == nil ? left : right
            let term = Term(kind: .anyEqual(field: index, other, isMembership: false), type: .bool, range: range)
            return infix == .equal ? term : Term(kind: .not(term), type: .bool, range: range)
        case .isIn:
            guard let index = field(left) else { return nil }
            return Term(kind: .anyEqual(field: index, right, isMembership: true), type: .bool, range: range)
        default: return nil
        }
    }

    // MARK: Comparison

    private func checkMembership(_ left: Term, _ right: Term, _ list: Expression) throws(Complaint) {
        switch right.type {
        case .dynamic: return
        case .list(let element):
            guard case .list(let elements) = list.kind else {
                guard left.type.canEqual(element) else { throw incomparable(left, .isIn, right, list.range) }
                return
            }
            // CEL lets a list mix types. Only where a field is looked for in it, an element that the field cannot
            // equal is a mistake.
            guard left.constant == nil else { return }
            let types: [StaticType] =
                switch right.kind {
                case .constant(.list(let values)): values.map(StaticType.init)
                case .list(let terms): terms.map { $0.isOptional ? .dynamic : $0.term.type }
                default: []
                }
            for (element, type) in zip(elements.map(\.value), types) where !left.type.canEqual(type) {
                let constant: OwnedValue? =
                    if case .literal(let literal) = element.kind { OwnedValue(literal) } else { nil }
                let mend = constant.flatMap { mended($0, element.range, for: left.type) }
                throw Complaint(
                    "\(finding(left)), \(quote(element.range)) is \(type.phrase()): never equal"
                        + (mend.map { "; write \($0)" } ?? ""),
                    at: element.range
                )
            }
        case .map(let key, _):
            guard !left.type.canEqual(key) else { return }
            throw Complaint(
                "in looks among a map's keys, which are \(key.phrase()), and \(finding(left))",
                at: left.range
            )
        case .string where left.type == .string && left.field != nil && right.constant != nil:
            throw Complaint(
                "in looks into a list; write \(quote(left.range)) == \(quote(right.range)), or"
                    + " \(quote(left.range)) in [\(quote(right.range))]",
                at: right.range
            )
        case .string where left.type == .string:
            throw Complaint(
                "in looks into a list; for text within text write \(quote(right.range)).contains(\(quote(left.range)))",
                at: right.range
            )
        default:
            throw Complaint(
                "in needs a list or a map after it, and \(finding(right)); write [\(quote(right.range))]",
                at: right.range
            )
        }
    }

    private func incomparable(_ left: Term, _ infix: BinaryOperator, _ right: Term, _ operatorRange: SourceRange)
        -> Complaint
    {
        let sign = infix.rawValue
        let finding = "\(finding(left)), \(finding(right))"
        if let objection = objection(to: right, beside: left) ?? objection(to: left, beside: right) { return objection }
        if let constant = right.constant, let mend = mended(constant, right.range, for: left.type) {
            return Complaint("\(finding); write \(quote(left.range)) \(sign) \(mend)", at: right.range)
        }
        if let constant = left.constant, let mend = mended(constant, left.range, for: right.type) {
            return Complaint("\(finding); write \(mend) \(sign) \(quote(right.range))", at: left.range)
        }
        if infix == .equal, case .list(let element) = right.type, left.type.canEqual(element) {
            return Complaint("\(finding); write \(quote(left.range)) in \(quote(right.range))", at: operatorRange)
        }
        if left.type == .string, case .bytes? = right.constant {
            let mend = "bytes(\(quote(left.range))) \(sign) \(quote(right.range))"
            return Complaint("\(finding); write \(mend)", at: right.range)
        }
        if let mend = foreign(right, for: left.type) {
            return Complaint("\(finding); write \(quote(left.range)) \(sign) \(mend)", at: right.range)
        }
        if let mend = foreign(left, for: right.type) {
            return Complaint("\(finding); write \(mend) \(sign) \(quote(right.range))", at: left.range)
        }
        if left.type == .null || right.type == .null {
            return Complaint(
                "null is neither less nor greater than anything; write == null, or has(…)",
                at: operatorRange
            )
        }
        return Complaint("\(finding); \(sign) cannot compare these", at: operatorRange)
    }

    /// The constant as it would have to be written to be of the type that it is compared with.
    func mended(_ constant: OwnedValue, _ range: SourceRange, for type: StaticType) -> String? {
        switch (constant, type) {
        case (.string(let content), .int), (.string(let content), .uint), (.string(let content), .double):
            let text = String(decoding: content, as: UTF8.self)
            if let name = constantName(text) { return name }
            return Self.isNumber(text) ? text : nil
        case (.string(let content), .bool):
            return ["true", "false"].first { Array($0.utf8) == content }
        case (.string(let content), .timestamp):
            if Timestamp(parsing: content) != nil { return "timestamp(\(quote(range)))" }
            return LooseTime.time(String(decoding: content, as: UTF8.self)) ?? Function.named("timestamp")?.usage()
        case (.string(let content), .duration):
            if DurationText.parse(content) != nil { return "duration(\(quote(range)))" }
            return LooseTime.duration(String(decoding: content, as: UTF8.self)) ?? Function.named("duration")?.usage()
        case (.int(0...), .timestamp), (.double(0...), .timestamp): return "timestamp(\(quote(range)))"
        case (.int(0...), .duration): return LooseTime.duration(quote(range))
        case (.string(let content), .type):
            let text = String(decoding: content, as: UTF8.self)
            return ValueKind.named[text] == nil ? nil : text
        case (.string, .bytes): return "b\(quote(range))"
        case (.int, .string), (.uint, .string), (.double, .string), (.bool, .string): return "\"\(quote(range))\""
        case (.bytes(let content), .string):
            let isPlain = content.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }
            return isPlain ? Self.withoutBytesPrefix(quote(range)) : nil
        default: return nil
        }
    }

    /// Whether the text is a number as the language writes it, perhaps with a minus, and short enough for a message.
    /// Swift's `Double` accepts other spellings, too.
    private static func isNumber(_ text: String) -> Bool {
        guard text.utf8.count <= 40, Double(text) != nil, let number = try? Parser.parse(SourceText(text)),
            case .literal = number.kind
        else { return false }
        return true
    }

    /// `rb"x"` as `r"x"`.
    private static func withoutBytesPrefix(_ text: String) -> String {
        let prefix = text.prefix { $0 != "\"" && $0 != "'" }
        return prefix.filter { $0 != "b" && $0 != "B" } + text.dropFirst(prefix.count)
    }

    /// `1 < x < 5`, which looks right and means nothing.
    private func chained(
        _ left: Expression,
        _ infix: BinaryOperator,
        _ right: Expression,
        _ operatorRange: SourceRange
    ) -> Complaint? {
        guard case .binary(let first, _, let outer, let middle) = left.kind, first.precedence == 1 else { return nil }
        let sides = "\(quote(outer.range)) \(first.rawValue) \(quote(middle.range))"
        let rest = "\(quote(middle.range)) \(infix.rawValue) \(quote(right.range))"
        return Complaint(
            "comparisons cannot be chained; write \(sides) && \(rest)",
            at: operatorRange
        )
    }

    // MARK: Regular expressions

    private func checkMatch(_ text: Term, _ pattern: Term, _ infix: BinaryOperator) throws(Complaint) {
        if text.type != .string, text.type != .dynamic {
            let mend = text.type.isNumber ? "; write string(\(quote(text.range))) \(infix.rawValue) …" : ""
            throw Complaint(
                "\(infix.rawValue) matches text, and \(finding(text))\(mend)",
                at: text.range
            )
        }
        if pattern.type != .string, pattern.type != .dynamic {
            throw Complaint(
                "a regular expression is text, and \(finding(pattern)); put it in quotes",
                at: pattern.range
            )
        }
    }

    private mutating func match(_ text: Term, _ pattern: Term, _ range: SourceRange) throws(Complaint) -> Term {
        guard let expression = try regularExpression(pattern) else {
            return Term(kind: .binary(.matches, text, pattern), type: .bool, range: range)
        }
        return Term(kind: .matches(text, expression, nullIsNoMatch: true), type: .bool, range: range)
    }

    /// The pattern, compiled, when it is a constant.
    mutating func regularExpression(_ pattern: Term) throws(Complaint) -> RegularExpression? {
        guard case .string(let content)? = pattern.constant else { return nil }
        do throws(RegularExpression.Refusal) {
            return try RegularExpression.compile(content, patterns.next(content))
        } catch {
            let lookaround = error.argument.hasPrefix("(?") && error.reason.contains("perl operator")
            let isWildcard = Wildcard.search(for: String(decoding: content, as: UTF8.self)) != nil
            let advice =
                lookaround
                ? "; there is no look-around: join two conditions with && instead"
                : isWildcard ? "; it is found anywhere in the text, and .* is any text" : ""
            throw Complaint("this regular expression is refused: \(error)\(advice)", at: pattern.range)
        }
    }

    // MARK: Arithmetic

    /// The type of the result; `nil` when the operands have none.
    private static func arithmetic(_ infix: BinaryOperator, _ left: StaticType, _ right: StaticType) -> StaticType? {
        switch (infix, left, right) {
        case (_, .dynamic, _), (_, _, .dynamic): .dynamic
        case (_, .int, .int), (_, .uint, .uint): left
        case (.remainder, _, _): nil
        case (_, .double, .double): .double
        case (.add, .string, .string), (.add, .bytes, .bytes): left
        case (.add, .list(let first), .list(let second)): .list(.common([first, second]))
        case (.add, .timestamp, .duration), (.add, .duration, .timestamp), (.subtract, .timestamp, .duration):
            .timestamp
        case (.add, .duration, .duration), (.subtract, .duration, .duration), (.subtract, .timestamp, .timestamp):
            .duration
        default: nil
        }
    }

    private func incalculable(
        _ left: Term,
        _ infix: BinaryOperator,
        _ right: Term,
        _ operatorRange: SourceRange
    ) -> Complaint {
        let exact = left.type.isNumber && right.type.isNumber
        let finding = "\(finding(left, exact: exact)), \(finding(right, exact: exact))"
        let advice: String
        switch (left.type, right.type) {
        case (.double, .double): advice = "% takes whole numbers; write int(…)"
        case _ where exact:
            advice = "\(infix.rawValue) takes two of the same kind; convert one with int(…), uint(…) or double(…)"
        case (.string, _) where infix == .add && right.type.isNumber: advice = "write string(\(quote(right.range)))"
        case (_, .string) where infix == .add && left.type.isNumber: advice = "write string(\(quote(left.range)))"
        case (.timestamp, .int) where right.constant != nil, (.duration, .int) where right.constant != nil:
            advice = "write " + (LooseTime.duration(quote(right.range)) ?? "duration(…)")
        case (.timestamp, .string) where right.constant != nil, (.duration, .string) where right.constant != nil:
            advice = "write " + (right.constant.flatMap { mended($0, right.range, for: .duration) } ?? "duration(…)")
        default: advice = "\(infix.rawValue) cannot combine these"
        }
        return Complaint("\(finding); \(advice)", at: operatorRange)
    }
}
