/// Finds the part of an expression that a source's index can answer.
///
/// For every part it asks: which condition on a record makes this part true, or false? Negation only exchanges the
/// two questions. A part that fails is neither, so errors need no special case: a record for which `a && b` is true
/// has both true, whatever `a` and `b` do elsewhere. A part that the index does not know becomes "everything".
struct MatchPlanner {
    let fields: [FieldDefinition]
    let schema: any FieldSchema

    /// More values than this of one field are not worth asking an index for.
    static let valueLimit = 32

    func match(for term: Term) -> Match {
        resolved(plans(term).whenTrue)
    }

    /// A part's plans. Both are made at once: a condition before `?` is asked both questions, and planning it for
    /// each would double the work with every level.
    private struct Plans {
        var whenTrue: MatchPlan
        var whenFalse: MatchPlan

        var negated: Plans { Plans(whenTrue: whenFalse, whenFalse: whenTrue) }
    }

    private func plans(_ term: Term) -> Plans {
        switch term.kind {
        case .constant(.bool(let value)):
            let plans = Plans(whenTrue: .everything, whenFalse: .nothing)
            return value ? plans : plans.negated
        case .constant: return Plans(whenTrue: .nothing, whenFalse: .nothing)
        case .not(let operand): return plans(operand).negated
        case .and(let terms):
            let parts = terms.map(plans)
            return Plans(
                whenTrue: .conjunction(parts.map(\.whenTrue)),
                whenFalse: .disjunction(parts.map(\.whenFalse))
            )
        case .or(let terms):
            let parts = terms.map(plans)
            return Plans(
                whenTrue: .disjunction(parts.map(\.whenTrue)),
                whenFalse: .conjunction(parts.map(\.whenFalse))
            )
        case .conditional(let condition, let then, let otherwise):
            let (condition, then, otherwise) = (plans(condition), plans(then), plans(otherwise))
            func either(_ plan: (Plans) -> MatchPlan) -> MatchPlan {
                .disjunction([
                    .conjunction([condition.whenTrue, plan(then)]),
                    .conjunction([condition.whenFalse, plan(otherwise)]),
                ])
            }
            return Plans(whenTrue: either(\.whenTrue), whenFalse: either(\.whenFalse))
        case .binary(let infix, let left, let right):
            return Plans(
                whenTrue: comparison(infix, left, right, when: true),
                whenFalse: comparison(infix, left, right, when: false)
            )
        case .anyEqual(let field, let operand, let isMembership):
            return Plans(whenTrue: equality(field, operand, isMembership), whenFalse: .everything)
        default: return Plans(whenTrue: .everything, whenFalse: .everything)
        }
    }

    private func comparison(_ infix: BinaryOperator, _ left: Term, _ right: Term, when wanted: Bool) -> MatchPlan {
        switch infix {
        case .equal where wanted, .notEqual where !wanted:
            if let field = left.field { return equality(field, right, false) }
            if let field = right.field { return equality(field, left, false) }
            return .everything
        case .isIn where wanted:
            if let field = left.field { return equality(field, right, true) }
            guard case .every(let field) = right.kind, let value = left.constant else { return .everything }
            return values(field, [value], isOfAny: true)
        case _ where infix.isOrdering:
            if let field = left.field, let bound = right.constant { return range(field, infix, bound, when: wanted) }
            if let field = right.field, let bound = left.constant {
                return range(field, infix.mirrored, bound, when: wanted)
            }
            return .everything
        default: return .everything
        }
    }

    /// The field equals the operand, or is one of its elements.
    private func equality(_ field: Int, _ operand: Term, _ isMembership: Bool) -> MatchPlan {
        switch operand.constant {
        case .list(let elements)? where isMembership: values(field, elements)
        case let value? where !isMembership: values(field, [value])
        default: .everything
        }
    }

    /// The field equals one of the constants.
    ///
    /// - Parameter isOfAny: whether any of its values does.
    private func values(_ field: Int, _ constants: [OwnedValue], isOfAny: Bool = false) -> MatchPlan {
        var values: Set<MatchValue> = []
        for constant in constants {
            switch constant {
            case .int(let value): values.insert(.int(value))
            case .uint(let value):
                guard let value = Int64(exactly: value) else { return .everything }
                values.insert(.int(value))
            case .double(let value):
                // Above 2^53 several integers equal one double.
                guard value.magnitude < 0x1p53, let value = Int64(exactly: value) else { return .everything }
                values.insert(.int(value))
            case .string(let text): values.insert(.text(text))
            default: return .everything
            }
        }
        if values.isEmpty { return .nothing }
        // Whatever else is asked for, this many are not looked up, and sets of any size would be copied at each level.
        guard values.count <= MatchPlan.sizeLimit else { return .everything }
        return isOfAny || fields[field].hasAlternatives ? .shared(field: field, values) : .values(field: field, values)
    }

    /// The integers of the field's range on one side of the bound.
    private func range(_ field: Int, _ infix: BinaryOperator, _ bound: OwnedValue, when wanted: Bool) -> MatchPlan {
        guard fields[field].type == .int, let range = fields[field].range, range.upperBound < .max,
            range.lowerBound >= -(1 << 53), range.upperBound <= 1 << 53, range.count <= 64
        else { return .everything }
        // NaN compares false, both ways.
        if case .double(let value) = bound, value.isNaN { return .everything }
        var arena = Arena()
        let boundValue = arena.value(bound)
        var allowance = Allowance.unlimited
        defer { withExtendedLifetime(arena) {} }
        let inside = range.filter { candidate in
            guard let order = Comparison.order(.int(candidate), boundValue, &allowance) else { return false }
            let holds =
                switch infix {
                case .less: order < 0
                case .lessOrEqual: order <= 0
                case .greater: order > 0
                default: order >= 0
                }
            return holds == wanted
        }
        // All of them would ask the index for nearly every record, term by term.
        return inside.count == range.count ? .everything : values(field, inside.map(OwnedValue.int))
    }

    private func resolved(_ plan: MatchPlan) -> Match {
        switch plan {
        case .everything: return .everything
        case .nothing: return .nothing
        case .all(let parts): return .conjunction(parts.map(resolved))
        case .any(let parts): return .disjunction(parts.map(resolved))
        case .values(let field, let values), .shared(let field, let values):
            guard values.count <= Self.valueLimit else { return .everything }
            var matches: [Match] = []
            for value in values.sorted(by: MatchValue.precedes) {
                guard let match = schema.match(fields[field], equals: value) else { return .everything }
                matches.append(match)
            }
            return .disjunction(matches)
        }
    }
}

extension MatchValue {
    /// An order that makes a match independent of the hashing of its expression.
    fileprivate static func precedes(_ left: MatchValue, _ right: MatchValue) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.int, .text): true
        case (.text, .int): false
        }
    }
}
