extension Checker {
    mutating func list(_ elements: [Expression.ListElement], _ range: SourceRange) throws(Complaint) -> Term {
        var terms: [Term.Element] = []
        var types: [StaticType] = []
        terms.reserveCapacity(elements.count)
        for element in elements {
            let term = try term(element.value)
            types.append(element.isOptional ? try content(of: term, "an element written ?x") : term.type)
            terms.append(Term.Element(term: term, isOptional: element.isOptional))
        }
        let constants = terms.compactMap { $0.isOptional ? nil : $0.term.constant }
        let type = StaticType.list(.common(types))
        if constants.count == terms.count { return constant(.list(constants), range, type: type) }
        return Term(kind: .list(terms), type: type, range: range)
    }

    mutating func map(_ entries: [Expression.MapEntry], _ range: SourceRange) throws(Complaint) -> Term {
        var terms: [Term.Entry] = []
        var keys: [StaticType] = []
        var values: [StaticType] = []
        for entry in entries {
            let key = try term(entry.key)
            if options.isChecked, !key.type.canBeKey {
                throw Complaint(
                    "a map's key is text, a whole number, true or false, and \(finding(key, exact: true))",
                    at: key.range
                )
            }
            let value = try term(entry.value)
            keys.append(key.type)
            values.append(entry.isOptional ? try content(of: value, "an entry written ?key: x") : value.type)
            terms.append(Term.Entry(key: key, value: value, isOptional: entry.isOptional))
        }
        let constants = terms.flatMap { [$0.key, $0.value] }.compactMap(\.constant)
        let type = StaticType.map(.common(keys), .common(values))
        guard constants.count == 2 * terms.count, !terms.contains(where: \.isOptional),
            try areKeys(terms)
        else { return Term(kind: .map(terms), type: type, range: range) }
        return constant(.map(constants), range, type: type)
    }

    /// Whether the constants before the colons can be a map's keys. An unchecked expression is checked when it is
    /// evaluated.
    private func areKeys(_ terms: [Term.Entry]) throws(Complaint) -> Bool {
        var arena = Arena()
        var allowance = Allowance.unlimited
        var values: [Value] = []
        for term in terms { values += [term.key.constant.map { arena.value($0) } ?? .null, .null] }
        let defect = MapEntries.ordered(values, &allowance).defect
        withExtendedLifetime(arena) {}
        guard let defect else { return true }
        if case .repeated(let index) = defect, options.isChecked {
            throw Complaint(
                "the key \(quote(terms[index].key.range)) stands twice in this map",
                at: terms[index].key.range
            )
        }
        return false
    }

    /// The type of an optional's content.
    private func content(of term: Term, _ what: String) throws(Complaint) -> StaticType {
        if case .optional(let content) = term.type { return content }
        guard options.isChecked, term.type != .dynamic else { return .dynamic }
        throw Complaint(
            "\(what) must be an optional, and \(finding(term)); write optional.of(\(quote(term.range)))",
            at: term.range
        )
    }

    mutating func index(_ operand: Expression, _ key: Expression, _ isOptional: Bool, _ range: SourceRange)
        throws(Complaint) -> Term
    {
        if case .name(LanguageNames.record, _) = operand.kind, let name = quotedField(key),
            !variables.contains(where: { $0.name == LanguageNames.record })
        {
            throw Complaint("the fields are members here; write \(LanguageNames.record).\(name)", at: range)
        }
        let operand = try term(operand)
        let key = try term(key)
        var type = try elementType(operand, operand.type, key)
        if case .optional = operand.type { type = .optional(type) } else if isOptional { type = .optional(type) }
        return Term(kind: .index(operand, key, isOptional ? .optional : .required), type: type, range: range)
    }

    private func elementType(_ operand: Term, _ type: StaticType, _ key: Term) throws(Complaint) -> StaticType {
        switch type {
        case .list(let element):
            guard options.isChecked, ![.int, .uint, .dynamic].contains(key.type) else { return element }
            throw Complaint(
                "a list is indexed by a whole number, found \(key.type.phrase(exact: true))",
                at: key.range
            )
        case .map(let keyType, let value):
            guard options.isChecked, !keyType.canEqual(key.type) else { return value }
            throw Complaint("the keys of this map are \(keyType.plural), and \(finding(key))", at: key.range)
        case .optional(let content): return try elementType(operand, content, key)
        case .dynamic: return .dynamic
        default:
            if !options.isChecked { return .dynamic }
            throw Complaint("\(finding(operand)); only a list or a map can be indexed", at: operand.range)
        }
    }
}

extension StaticType {
    fileprivate var canBeKey: Bool {
        switch self {
        case .bool, .int, .uint, .string, .dynamic: true
        default: false
        }
    }

    fileprivate var plural: String {
        switch self {
        case .int, .uint: "numbers"
        case .bool: "true and false"
        default: "texts"
        }
    }
}
