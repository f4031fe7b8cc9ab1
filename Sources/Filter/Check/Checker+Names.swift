extension Checker {
    /// A name with the members selected from it, outermost first: `a.b.c`.
    private struct Path {
        var parts: [(name: String, range: SourceRange)]
        var isAbsolute: Bool

        init?(_ expression: Expression) {
            switch expression.kind {
            case .name(let name, let isAbsolute):
                parts = [(name, expression.range)]
                self.isAbsolute = isAbsolute
            case .select(let operand, let member, let memberRange):
                guard let path = Path(operand) else { return nil }
                self = path
                parts.append((member, memberRange))
            default: return nil
            }
        }

        func joined(_ range: Range<Int>) -> String {
            parts[range].map(\.name).joined(separator: ".")
        }
    }

    mutating func name(_ expression: Expression) throws(Complaint) -> Term {
        guard let path = Path(expression) else {
            guard case .select(let operand, let member, let memberRange) = expression.kind else {
                return try term(expression)
            }
            return try select(member, memberRange, from: try term(operand), expression.range)
        }
        guard let found = try lookup(path) else { return try unknown(path, expression.range) }
        var term = found.term
        for part in path.parts[found.length...] {
            term = try select(part.name, part.range, from: term, term.range.through(part.range))
        }
        return term
    }

    /// The field that `has` asks for.
    mutating func presence(_ expression: Expression, _ range: SourceRange) throws(Complaint) -> Term {
        guard let path = Path(expression) else {
            // Whatever else is wrong with it comes first.
            _ = try term(expression)
            throw notAField(expression)
        }
        guard let found = try lookup(path) else { return try unknown(path, range) }
        if found.length < path.parts.count { return try name(expression) }
        guard let index = found.term.field else { throw notAField(expression) }
        return Term(kind: .presence(index), type: .bool, range: range)
    }

    private func notAField(_ expression: Expression) -> Complaint {
        Complaint(
            "has() asks whether a record has a field; write has(NAME), not has(\(quote(expression.range)))",
            at: expression.range
        )
    }

    func isKnown(_ expression: Expression) -> Bool {
        guard case .name(let name, _) = expression.kind else { return true }
        return candidates(name, isAbsolute: false).contains { schema.field(named: $0) != nil }
    }

    /// The longest beginning of the path that names something, and how many of its parts that takes.
    private mutating func lookup(_ path: Path) throws(Complaint) -> (term: Term, length: Int)? {
        let first = path.parts[0]
        for length in stride(from: path.parts.count, to: 0, by: -1) {
            for candidate in candidates(path.joined(0..<length), isAbsolute: path.isAbsolute) {
                guard let definition = schema.field(named: candidate) else { continue }
                return (fieldTerm(definition, first.range.through(path.parts[length - 1].range)), length)
            }
        }
        if first.name == schema.recordName { return try lookupInRecord(path) }
        if let number = schema.constants[first.name] { return (constant(.int(number), first.range), 1) }
        if let kind = Self.types[first.name] { return (constant(.type(kind), first.range), 1) }
        if UnsupportedNames.types.contains(first.name) {
            throw .unsupported("the type \(first.name) is", at: first.range)
        }
        return nil
    }

    private mutating func lookupInRecord(_ path: Path) throws(Complaint) -> (term: Term, length: Int)? {
        guard path.parts.count > 1 else {
            let example = "\(schema.recordName).\(schema.knownNames.first ?? "NAME")"
            throw Complaint(
                "\(schema.recordName) is the whole record; name one of its fields, as in \(example)",
                at: path.parts[0].range
            )
        }
        for length in stride(from: path.parts.count, to: 1, by: -1) {
            guard let definition = schema.field(named: path.joined(1..<length)) else { continue }
            return (fieldTerm(definition, path.parts[0].range.through(path.parts[length - 1].range)), length)
        }
        if !options.isChecked { return nil }
        throw unknownName(path.parts[1].name, path.parts[1].range, among: schema.knownNames, meant: path.parts[1].range)
    }

    private mutating func fieldTerm(_ definition: FieldDefinition, _ range: SourceRange) -> Term {
        Term(kind: .field(field(definition)), type: StaticType(definition.type), range: range)
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

    private func select(
        _ member: String,
        _ memberRange: SourceRange,
        from term: Term,
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        if !options.isChecked { return Term(kind: .failure(.noMembers), type: .dynamic, range: range) }
        let function = Function(rawValue: member).flatMap { $0.isMember ? $0 : nil }
        let advice = function.map { "; write \($0.usage(on: quote(term.range)))" } ?? ""
        throw Complaint("\(finding(term)) and has no members\(advice)", at: memberRange)
    }

    private func unknown(_ path: Path, _ range: SourceRange) throws(Complaint) -> Term {
        let first = path.parts[0]
        if UnsupportedNames.namespaces.contains(first.name) || first.name == "google", path.parts.count > 1 {
            throw .unsupported("names in \(first.name) are", at: range)
        }
        if !options.isChecked { return Term(kind: .failure(.unknownName), type: .dynamic, range: range) }
        let whole = first.range.through(path.parts[path.parts.count - 1].range)
        throw unknownName(
            first.name,
            first.range,
            among: schema.knownNames + schema.constants.keys.sorted(),
            meant: whole
        )
    }

    private func unknownName(
        _ name: String,
        _ range: SourceRange,
        among names: [String],
        meant: SourceRange
    ) -> Complaint {
        let foreign = [
            "True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "nil": "null", "NULL": "null",
            "None": "null",
        ]
        if let word = foreign[name] { return Complaint("there is no \(name); write \(word)", at: range) }
        if ["and", "or", "not"].contains(name) {
            return Complaint("\(name) needs a condition after it; put it in parentheses: \(name) (…)", at: range)
        }
        if let nearest = Spelling.nearest(to: name, among: names) {
            return Complaint("there is no field \(name); did you mean \(nearest)?", at: range)
        }
        if Function(rawValue: name) != nil {
            return Complaint("\(name) is a function; write \(Function(rawValue: name)?.usage() ?? name)", at: range)
        }
        return Complaint(
            "there is no field \(name); if this is meant as text, put it in quotes: \"\(quote(meant))\"",
            at: range
        )
    }

    private static let types: [String: ValueKind] = [
        "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes, "list": .list,
        "null_type": .null, "type": .type,
    ]
}
