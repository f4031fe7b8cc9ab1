/// The whole numbers between two others, both included. There are none if the lower bound is above the upper one.
package struct FieldBounds: Sendable, Hashable {
    package var lower = Int64.min
    package var upper = Int64.max

    package init() {}

    private func intersection(_ other: FieldBounds) -> FieldBounds {
        var bounds = self
        bounds.lower = max(lower, other.lower)
        bounds.upper = min(upper, other.upper)
        return bounds
    }

    private func hull(_ other: FieldBounds) -> FieldBounds {
        var bounds = self
        bounds.lower = min(lower, other.lower)
        bounds.upper = max(upper, other.upper)
        return bounds
    }

    fileprivate static func all(_ parts: [FieldBounds]) -> FieldBounds {
        parts.reduce(FieldBounds()) { $0.intersection($1) }
    }

    fileprivate static func any(_ parts: [FieldBounds]) -> FieldBounds {
        guard let first = parts.first else { return FieldBounds() }
        return parts.dropFirst().reduce(first) { $0.hull($1) }
    }
}

extension CompiledFilter {
    /// Bounds that the field of whole numbers has in every record that the filter selects, as far as comparisons with constants
    /// tell. A source that is sorted by the field need not be searched beyond them.
    package func bounds(of name: String) -> FieldBounds {
        guard let index = fields.firstIndex(where: { $0.name == name && $0.type == .int }) else { return FieldBounds() }
        return BoundsPlanner(field: index).bounds(of: term, when: true)
    }

    /// Whether the result for records with the same values of the other fields, and with a number within ``bounds(of:)``, is the same
    /// whatever that number and the time of the evaluation are.
    package func isDecided(byBoundsOf name: String) -> Bool {
        let index = fields.firstIndex { $0.name == name && $0.type == .int } ?? -1
        // All values of a field are a field of their own.
        let same = Set(fields.indices.filter { fields[$0].name == name })
        return BoundsPlanner(field: index, same: same).decides(term)
    }
}

/// Finds the bounds of one field for which a part of an expression is true, or false. It looks at each part once.
private struct BoundsPlanner {
    let field: Int
    /// The fields of that name.
    var same: Set<Int> = []

    func bounds(of term: Term, when wanted: Bool) -> FieldBounds {
        switch term.kind {
        case .not(let operand): return bounds(of: operand, when: !wanted)
        case .and(let terms):
            let parts = terms.map { bounds(of: $0, when: wanted) }
            return wanted ? .all(parts) : .any(parts)
        case .or(let terms):
            let parts = terms.map { bounds(of: $0, when: wanted) }
            return wanted ? .any(parts) : .all(parts)
        case .conditional(_, let then, let otherwise):
            return .any([bounds(of: then, when: wanted), bounds(of: otherwise, when: wanted)])
        case .binary(let infix, let left, let right):
            if left.field == field, let bound = right.constant { return comparison(infix, bound, when: wanted) }
            if right.field == field, let bound = left.constant, infix != .isIn {
                return comparison(infix.mirrored, bound, when: wanted)
            }
            return FieldBounds()
        default: return FieldBounds()
        }
    }

    /// Whether the term asks for the field only in comparisons that hold for all numbers within the bounds, and for no clock.
    func decides(_ term: Term) -> Bool {
        if case .and(let terms) = term.kind { return terms.allSatisfy(decides) }
        if case .binary(let infix, let left, let right) = term.kind, infix.isOrdering || infix == .equal,
            case .int? = (left.field == field ? right : right.field == field ? left : nil)?.constant
        {
            return true
        }
        return !reads(term)
    }

    private func reads(_ term: Term) -> Bool {
        switch term.kind {
        case .now: true
        case .field(let other), .presence(let other), .every(let other), .anyEqual(let other, _, _):
            same.contains(other)
        default: term.children.contains(where: reads)
        }
    }

    private func comparison(_ infix: BinaryOperator, _ bound: OwnedValue, when wanted: Bool) -> FieldBounds {
        var bounds = FieldBounds()
        guard case .int(let bound) = bound else { return bounds }
        // No number is below the least, or above the greatest.
        let (before, isFirst) = bound.subtractingReportingOverflow(1)
        let (behind, isLast) = bound.addingReportingOverflow(1)
        switch (infix, wanted) {
        case (.equal, true), (.notEqual, false): (bounds.lower, bounds.upper) = (bound, bound)
        case (.less, true), (.greaterOrEqual, false): bounds.upper = isFirst ? bound : before
        case (.lessOrEqual, true), (.greater, false): bounds.upper = bound
        case (.greater, true), (.lessOrEqual, false): bounds.lower = isLast ? bound : behind
        case (.greaterOrEqual, true), (.less, false): bounds.lower = bound
        default: break
        }
        return bounds
    }
}
