/// Resolves an expression's names against a schema and infers its types; refuses expressions that are wrong.
struct Checker {
    let source: SourceText
    let schema: any FieldSchema
    let options: CompileOptions
    /// The fields that the expression names, in the order in which it first does.
    private(set) var fields: [FieldDefinition] = []
    /// The place of each among them.
    private var fieldPlaces: [FieldID: Int] = [:]
    /// The place where it first names each of them.
    private(set) var fieldRanges: [SourceRange] = []
    /// Parts that are allowed and probably not meant.
    private(set) var warnings: [Complaint] = []
    /// The variables of the macros around the place, outermost first.
    var variables: [Variable] = []
    /// Places for variables given out so far. No two variables share one.
    var slotCount = 0
    /// Loops around the place.
    var loopDepth = 0
    /// The remaining budget for regular expressions.
    var patterns: PatternBudget

    init(_ source: SourceText, _ expression: Expression, schema: any FieldSchema, options: CompileOptions)
        throws(Complaint)
    {
        self.source = source
        self.schema = schema
        self.options = options
        patterns = try PatternBudget(expression, options.limits)
    }

    /// Checks the whole expression.
    mutating func check(_ expression: Expression) throws(Complaint) -> Term {
        let term = try conditionTerm(expression)
        if options.requiresCondition, options.isChecked, term.type != .bool, term.type != .dynamic {
            throw notACondition(term, "a filter answers true or false")
        }
        return term
    }

    mutating func term(_ expression: Expression) throws(Complaint) -> Term {
        let range = expression.range
        switch expression.kind {
        case .literal(let literal): return constant(OwnedValue(literal), range)
        case .name, .select: return try name(expression)
        case .call(let name, let nameRange, let receiver, let arguments):
            return try call(name, nameRange, receiver, arguments, range)
        case .list(let elements): return try list(elements, range)
        case .map(let entries): return try map(entries, range)
        case .index(let operand, let key, let isOptional): return try index(operand, key, isOptional, range)
        case .not(let operand): return try not(operand, range)
        case .negate(let operand): return try negate(operand, range)
        case .and(let operands): return Term(kind: .and(try conditions(operands, "&&")), type: .bool, range: range)
        case .or(let operands): return Term(kind: .or(try conditions(operands, "||")), type: .bool, range: range)
        case .conditional(let condition, let then, let otherwise):
            return try conditional(condition, then, otherwise, range)
        case .binary(let infix, let operatorRange, let left, let right):
            return try binary(infix, operatorRange, left, right, range)
        }
    }

    /// - Parameter type: its type, where that is known and the value may be large.
    func constant(_ value: OwnedValue, _ range: SourceRange, type: StaticType? = nil) -> Term {
        Term(kind: .constant(value), type: type ?? StaticType(value), range: range)
    }

    mutating func field(_ definition: FieldDefinition, at range: SourceRange) -> Int {
        if let index = fieldPlaces[definition.id] { return index }
        fieldPlaces[definition.id] = fields.count
        fields.append(definition)
        fieldRanges.append(range)
        return fields.count - 1
    }

    /// Warns about a part that is allowed and probably not meant.
    mutating func warn(_ message: String, at range: SourceRange) {
        guard options.isChecked, warnings.count < FilterWarning.limit else { return }
        warnings.append(Complaint(message, at: range))
    }

    /// The expression's own words for a part of it, short enough for a message.
    func quote(_ range: SourceRange) -> String {
        source.shortened(range)
    }

    /// A description of the part and its type, for the middle of a sentence.
    func finding(_ term: Term, exact: Bool = false) -> String {
        "\(quote(term.range)) is \(term.type.phrase(exact: exact))"
    }

    private mutating func not(_ operand: Expression, _ range: SourceRange) throws(Complaint) -> Term {
        let term = try term(operand)
        if options.isChecked, term.type != .bool, term.type != .dynamic {
            let presence = term.field == nil ? "" : ", or !has(\(quote(term.range)))"
            throw Complaint(
                "! needs a condition, and \(finding(term)); write !(…) around a whole comparison\(presence)",
                at: term.range
            )
        }
        return Term(kind: .not(term), type: .bool, range: range)
    }

    private mutating func negate(_ operand: Expression, _ range: SourceRange) throws(Complaint) -> Term {
        let term = try term(operand)
        if options.isChecked, term.type != .int, term.type != .double, term.type != .dynamic {
            throw Complaint(
                "- needs a signed number, and \(finding(term, exact: true))",
                at: term.range
            )
        }
        return Term(kind: .negate(term), type: term.type, range: range)
    }

    private mutating func conditional(
        _ condition: Expression,
        _ then: Expression,
        _ otherwise: Expression,
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        let condition = try term(condition)
        if options.isChecked, condition.type != .bool, condition.type != .dynamic {
            throw notACondition(condition, "a condition must stand before ?")
        }
        let then = try term(then)
        let otherwise = try term(otherwise)
        return Term(
            kind: .conditional(condition, then: then, otherwise: otherwise),
            type: .common([then.type, otherwise.type]),
            range: range
        )
    }
}
