extension Checker {
    /// The error for an unknown name.
    ///
    /// - Parameter isText: whether a text could stand in its place.
    func unknown(_ path: NamePath, _ range: SourceRange, isText: Bool = true) throws(Complaint) -> Term {
        let first = path.parts[0]
        if !options.isChecked { return Term(kind: .failure(.unknownName), type: .dynamic, range: range) }
        let whole = first.range.through(path.parts[path.parts.count - 1].range)
        let names = variables.map(\.name) + schema.knownNames + schema.constants.keys.sorted() + ["now", "age"]
        throw unknownName(first.name, first.range, among: names, meant: isText ? whole : nil)
    }

    /// The same where only a field can stand.
    func unknownField(_ name: String, _ range: SourceRange) -> Complaint {
        unknownName(name, range, among: schema.knownNames, meant: nil)
    }

    private func unknownName(
        _ name: String,
        _ range: SourceRange,
        among names: [String],
        meant: SourceRange?
    ) -> Complaint {
        let shown = DisplayWidth.shortened(name)
        if let word = ForeignNames.literals[name] { return Complaint("there is no \(shown); write \(word)", at: range) }
        if ["and", "or", "not"].contains(name) {
            return Complaint("\(name) needs a condition after it; put it in parentheses: \(name) (…)", at: range)
        }
        if ForeignNames.times.contains(name), let time = schema.timeField {
            let example = "\(time) > now - duration(\"24h\")"
            return Complaint("there is no \(name) here; a time is counted back from now, as in \(example)", at: range)
        }
        let synonym = schema.synonyms[name] ?? schema.synonyms[name.lowercased()]
        let suggestion = synonym ?? nearest(to: name, among: names)
        var complaint = Complaint("there is no field \(shown); did you mean \(suggestion ?? "")?", at: range)
        complaint.unknownName = Complaint.UnknownName(name: name, suggestion: suggestion, isSynonym: synonym != nil)
        guard suggestion == nil else { return complaint }
        if let function = Function.named(name) {
            return Complaint("\(name) is a function; write \(function.usage())", at: range)
        }
        if Function.namespaces.contains(name) {
            let functions = Function.all.filter { $0.namespace == name }.map(\.name)
            return Complaint(
                "\(name) is not a field; its functions are \(functions.joined(separator: ", "))",
                at: range
            )
        }
        let advice = meant.map { "if this is meant as text, put it in quotes: \"\(quote($0))\"" } ?? fieldsThereAre
        complaint.message = "there is no field \(shown); \(advice)"
        return complaint
    }

    private var fieldsThereAre: String {
        let names = schema.knownNames
        if names.isEmpty { return "there are none" }
        let others = names.count - Self.maxNames
        return "there are \(names.prefix(Self.maxNames).joined(separator: ", "))"
            + (others > 0 ? " and \(others) more" : "")
    }

    private static let maxNames = 10

    /// The nearest name, or the replacement for the nearest name of another tool.
    private func nearest(to name: String, among names: [String]) -> String? {
        let synonyms = schema.synonyms
        // Short names are too similar to each other.
        let long = synonyms.keys.filter { $0.utf8.count > 4 }.sorted()
        guard let nearest = Spelling.nearest(to: name, among: names + long) else { return nil }
        return names.contains(nearest) ? nearest : synonyms[nearest]
    }

    /// Checks a part in the place of a condition. A word by itself there was probably meant as a search word.
    mutating func conditionTerm(_ expression: Expression) throws(Complaint) -> Term {
        do throws(Complaint) {
            return try term(expression)
        } catch {
            guard case .name(let name, isAbsolute: false) = expression.kind, let unknown = error.unknownName,
                unknown.suggestion.map({ schema.constants[$0] != nil }) ?? true
            else { throw error }
            let field = schema.knownNames.contains("message") ? "message" : "NAME"
            let shown = DisplayWidth.shortened(name)
            throw Complaint(
                "there is no field \(shown); to look for a word write \(field).contains(\"\(shown)\")",
                at: error.range
            )
        }
    }

    /// The complaint about an unknown name on one side of a comparison, with the comparison as it should be.
    func completed(
        _ complaint: Complaint,
        _ left: Expression,
        _ infix: BinaryOperator,
        _ right: Expression
    ) -> Complaint {
        guard let unknown = complaint.unknownName, infix.precedence == 1, infix != .isIn else { return complaint }
        var completed = complaint
        if infix == .matches || infix == .doesNotMatch {
            guard complaint.range == right.range else { return complaint }
            return quoted(complaint, as: "\(quote(left.range)) \(infix.rawValue) ", "")
        }
        func write(_ left: String, _ right: String) -> Complaint {
            let shown = DisplayWidth.shortened(unknown.name)
            completed.message = "there is no field \(shown); write \(left) \(infix.rawValue) \(right)"
            return completed
        }
        if complaint.range == left.range, let name = unknown.suggestion, case .literal(let literal) = right.kind {
            let field = schema.field(named: name)
            let constant = OwnedValue(literal)
            let value = field.flatMap { spelled(constant, right.range, for: $0) }
            return unknown.isSynonym || value != nil ? write(name, value ?? quote(right.range)) : complaint
        }
        guard complaint.range == right.range, let path = NamePath(left),
            let field = schema.field(named: path.joined(0..<path.parts.count))
        else { return complaint }
        if case .number? = schema.number(for: unknown.name, in: field) {
            return write(quote(left.range), "\"\(unknown.name)\"")
        }
        guard unknown.isSynonym, let name = unknown.suggestion else { return complaint }
        return write(quote(left.range), name)
    }

    /// The complaint about a bare word where only a text can stand.
    func quoted(_ complaint: Complaint, as before: String, _ after: String) -> Complaint {
        guard let unknown = complaint.unknownName,
            unknown.suggestion.map({ schema.constants[$0] != nil }) ?? true
        else { return complaint }
        var quoted = complaint
        let shown = DisplayWidth.shortened(unknown.name)
        quoted.message = "there is no field \(shown); write \(before)\"\(shown)\"\(after)"
        return quoted
    }

    /// The spelling of the constant for a comparison with the field; `nil` where it can stay as it is.
    private func spelled(_ constant: OwnedValue, _ range: SourceRange, for field: FieldDefinition) -> String? {
        if case .string(let content) = constant {
            let text = String(decoding: content, as: UTF8.self)
            if schema.number(for: text, in: field) != nil { return nil }
            if let correction = schema.objection(to: text, in: field)?.correction { return "\"\(correction)\"" }
        }
        let type = StaticType(field.type)
        return StaticType(constant).canEqual(type) ? nil : mended(constant, range, for: type)
    }
}
