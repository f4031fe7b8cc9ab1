extension Checker {
    mutating func name(_ expression: Expression) throws(Complaint) -> Term {
        guard let path = NamePath(expression) else {
            guard case .select(let operand, let member, let memberRange, let isOptional) = expression.kind else {
                return try term(expression)
            }
            if let field = try optionalField(expression) { return field }
            let access: Term.Access = isOptional ? .optional : .required
            return try select(member, memberRange, from: try term(operand), access, expression.range)
        }
        guard let found = try lookup(path) else { return try unknown(path, expression.range) }
        var term = found.term
        for part in path.parts[found.length...] {
            term = try select(part.name, part.range, from: term, .required, term.range.through(part.range))
        }
        return term
    }

    /// `record.?NAME`: an optional of the field.
    private mutating func optionalField(_ expression: Expression) throws(Complaint) -> Term? {
        guard case .select(let operand, let member, let memberRange, isOptional: true) = expression.kind,
            case .name(LanguageNames.record, _) = operand.kind
        else { return nil }
        let kind = Expression.Kind.select(operand, member: member, memberRange: memberRange, isOptional: false)
        let required = Expression(kind: kind, range: expression.range, height: expression.height)
        guard let path = NamePath(required), let found = try lookup(path), found.length == path.parts.count,
            let index = found.term.field
        else { return nil }
        let presence = Term(kind: .presence(index), type: .bool, range: expression.range)
        let type = StaticType.optional(found.term.type)
        func optional(_ name: String, _ arguments: [Term]) -> Term? {
            Function.named(name).map { Term(kind: .call($0, arguments), type: type, range: expression.range) }
        }
        guard let some = optional("optional.of", [found.term]), let none = optional("optional.none", [])
        else { return nil }
        return Term(kind: .conditional(presence, then: some, otherwise: none), type: type, range: expression.range)
    }

    /// The argument of `has`: whether a record has a field, or a map a key.
    mutating func presence(_ expression: Expression, _ range: SourceRange) throws(Complaint) -> Term {
        if let path = NamePath(expression) {
            guard let found = try lookup(path) else { return try unknown(path, range, isText: false) }
            if found.length == path.parts.count, let index = found.term.field {
                return Term(kind: .presence(index), type: .bool, range: range)
            }
        }
        guard case .select(let operand, let member, let memberRange, isOptional: false) = expression.kind else {
            // Any other mistake in it is reported first.
            _ = try term(expression)
            throw Complaint(
                "has() asks whether a record has a field, or a map a key; write \(presenceUsage(expression)), not"
                    + " has(\(quote(expression.range)))",
                at: expression.range
            )
        }
        return try select(member, memberRange, from: try term(operand), .presence, range)
    }

    private func presenceUsage(_ expression: Expression) -> String {
        guard let name = quotedField(expression) else { return "has(NAME) or has(map.key)" }
        return "has(\(name))"
    }

    /// The name of a field that is written as a text.
    func quotedField(_ expression: Expression) -> String? {
        guard case .literal(.string(let bytes)) = expression.kind else { return nil }
        let name = String(decoding: bytes, as: UTF8.self)
        return schema.field(named: name) == nil ? nil : name
    }

    /// Whether the expression begins with the name of a variable or a field.
    mutating func isKnown(_ path: NamePath) throws(Complaint) -> Bool {
        let isVariable = !path.isAbsolute && variables.contains { $0.name == path.parts[0].name }
        if isVariable { return true }
        return try lookup(path) != nil
    }

    /// More parts than the name of a field or a type has. All beginnings of a path are looked up.
    private static let maxParts = 16

    /// The longest beginning of the path that names something, and the number of its parts.
    private mutating func lookup(_ path: NamePath) throws(Complaint) -> (term: Term, length: Int)? {
        let first = path.parts[0]
        if !path.isAbsolute, let variable = variables.last(where: { $0.name == first.name }) {
            return (Term(kind: .local(variable.slot), type: variable.type, range: first.range), 1)
        }
        for length in stride(from: min(path.parts.count, Self.maxParts), to: 0, by: -1) {
            let range = first.range.through(path.parts[length - 1].range)
            for candidate in candidates(path.joined(0..<length), isAbsolute: path.isAbsolute) {
                if let definition = schema.field(named: candidate) { return (fieldTerm(definition, range), length) }
            }
            if let kind = ValueKind.named[path.joined(0..<length)] { return (constant(.type(kind), range), length) }
        }
        if first.name == LanguageNames.record, !path.isAbsolute || path.parts.count > 1 {
            return try lookupInRecord(path)
        }
        if let number = schema.constants[first.name] { return (constant(.int(number), first.range), 1) }
        switch first.name {
        case "now": return (Term(kind: .now, type: .timestamp, range: first.range), 1)
        case "age": return (try age(first.range), 1)
        default: return nil
        }
    }

    /// How long before now the record's time was.
    private mutating func age(_ range: SourceRange) throws(Complaint) -> Term {
        guard let name = schema.timeField, let definition = schema.field(named: name) else {
            if !options.isChecked { return Term(kind: .failure(.unknownName), type: .dynamic, range: range) }
            throw Complaint("there is no age here, because these records do not say when they were made", at: range)
        }
        let now = Term(kind: .now, type: .timestamp, range: range)
        return Term(kind: .binary(.subtract, now, fieldTerm(definition, range)), type: .duration, range: range)
    }

    private mutating func lookupInRecord(_ path: NamePath) throws(Complaint) -> (term: Term, length: Int)? {
        guard path.parts.count > 1 else {
            let names = schema.knownNames
            let example = "\(LanguageNames.record).\(names.first { $0 == "message" } ?? names.first ?? "NAME")"
            throw Complaint(
                "\(LanguageNames.record) is the whole record; name one of its fields, as in \(example)",
                at: path.parts[0].range
            )
        }
        for length in stride(from: min(path.parts.count, Self.maxParts), to: 1, by: -1) {
            guard let definition = schema.field(named: path.joined(1..<length)) else { continue }
            return (fieldTerm(definition, path.parts[0].range.through(path.parts[length - 1].range)), length)
        }
        if !options.isChecked { return nil }
        throw unknownField(path.parts[1].name, path.parts[1].range)
    }

    /// `fields("NAME")`: every value that the record has for the field.
    mutating func repeatedField(_ arguments: [Expression], _ nameRange: SourceRange, _ range: SourceRange)
        throws(Complaint) -> Term
    {
        guard arguments.count == 1, case .literal(.string(let bytes)) = arguments[0].kind else {
            let named = arguments.count == 1 ? NamePath(arguments[0]) : nil
            throw Complaint(
                "fields() takes the name of one field in quotes; write"
                    + " fields(\"\(named == nil ? "NAME" : quote(arguments[0].range))\")",
                at: arguments.first?.range ?? nameRange
            )
        }
        let name = String(decoding: bytes, as: UTF8.self)
        let qualified = "\(LanguageNames.record).\(name)"
        guard let definition = schema.repeatedField(named: name) ?? schema.repeatedField(named: qualified) else {
            if !options.isChecked { return Term(kind: .failure(.unknownName), type: .dynamic, range: range) }
            throw unknownField(name, arguments[0].range)
        }
        return Term(kind: .every(field(definition, at: range)), type: .list(StaticType(definition.type)), range: range)
    }

    private mutating func fieldTerm(_ definition: FieldDefinition, _ range: SourceRange) -> Term {
        Term(kind: .field(field(definition, at: range)), type: StaticType(definition.type), range: range)
    }

    /// The name in each enclosing namespace, innermost first.
    private func candidates(_ name: String, isAbsolute: Bool) -> [String] {
        if isAbsolute || options.container.isEmpty { return [name] }
        var scopes = options.container.split(separator: ".")
        var candidates: [String] = []
        while !scopes.isEmpty {
            candidates.append((scopes + [Substring(name)]).joined(separator: "."))
            scopes.removeLast()
        }
        return candidates + [name]
    }

    /// A member of a map, or of the map in an optional, which stays an optional.
    private func select(
        _ member: String,
        _ memberRange: SourceRange,
        from term: Term,
        _ access: Term.Access,
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        guard let found = memberType(term.type) else {
            if !options.isChecked { return Term(kind: .failure(.noMembers), type: .dynamic, range: range) }
            if case .map = term.type {
                throw Complaint("the keys of this map are not text; write \(quote(term.range))[…]", at: memberRange)
            }
            let name = ForeignNames.functions[member] ?? member
            let function = Function.named(name).flatMap { $0.isMember ? $0 : nil }
            let asksPresence = member == "exists" || name == "has"
            let advice =
                asksPresence
                ? "; write has(\(quote(term.range)))"
                : function.map { "; write \($0.usage(on: quote(term.range)))" } ?? ""
            throw Complaint("\(finding(term)) and has no members\(advice)", at: memberRange)
        }
        let type: StaticType =
            switch access {
            case .presence: .bool
            case .optional: .optional(found)
            case .required: term.type.isOptional ? .optional(found) : found
            }
        return Term(kind: .select(term, member: Array(member.utf8), access), type: type, range: range)
    }

    private func memberType(_ type: StaticType) -> StaticType? {
        switch type {
        case .map(let key, let value) where key == .string || key == .dynamic: value
        case .optional(let content): memberType(content)
        case .dynamic: .dynamic
        default: nil
        }
    }
}
