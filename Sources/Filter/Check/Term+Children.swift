extension Term {
    /// The parts of the term.
    var children: [Term] {
        switch kind {
        case .constant, .field, .presence, .every, .local, .now, .failure: []
        case .anyEqual(_, let operand, _), .not(let operand), .negate(let operand), .select(let operand, _, _),
            .matches(let operand, _, _):
            [operand]
        case .and(let terms), .or(let terms), .call(_, let terms): terms
        case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
        case .binary(_, let left, let right), .index(let left, let right, _): [left, right]
        case .list(let elements): elements.map(\.term)
        case .map(let entries): entries.flatMap { [$0.key, $0.value] }
        case .loop(let loop): [loop.range, loop.filter, loop.body].compactMap { $0 }
        case .bind(_, let value, let body): [value, body]
        case .mapOptional(let target, _, let body, _): [target, body]
        }
    }
}
