/// The parser's result for an expression: names are not resolved and nothing is checked yet.
struct Expression: Sendable {
    let kind: Kind

    /// Where it stands, including parentheses around it.
    let range: SourceRange

    /// Levels of operators and calls below and including this one. The parser bounds it, so later passes may recurse.
    let height: Int

    indirect enum Kind: Sendable {
        case literal(Literal)
        /// `isAbsolute` for a name with a leading dot, which no enclosing scope can capture.
        case name(String, isAbsolute: Bool)
        /// Written `.?member` where it is optional: an absent member is no error then.
        case select(Expression, member: String, memberRange: SourceRange, isOptional: Bool)
        /// Written `[?key]` where it is optional.
        case index(Expression, Expression, isOptional: Bool)
        case call(name: String, nameRange: SourceRange, receiver: Expression?, arguments: [Expression])
        case list([ListElement])
        case map([MapEntry])
        case not(Expression)
        case negate(Expression)
        case binary(BinaryOperator, operatorRange: SourceRange, Expression, Expression)
        /// At least two terms. A chain of any length is one node, so that it costs no depth.
        case and([Expression])
        case or([Expression])
        case conditional(Expression, then: Expression, otherwise: Expression)
    }

    /// An element of a list. One written `?value` is an optional whose value stands in the list only if it has one.
    struct ListElement: Sendable {
        var value: Expression
        var isOptional = false
    }

    /// An entry of a map. One written `?key: value` is in the map only if the optional has a value.
    struct MapEntry: Sendable {
        var key: Expression
        var value: Expression
        var isOptional = false
    }

    /// Puts the parenthesised expression at the place of its parentheses.
    func widened(to range: SourceRange) -> Expression {
        Expression(kind: kind, range: range, height: height)
    }
}

extension Expression.Kind {
    /// The operands, in the order of the source.
    var children: [Expression] {
        switch self {
        case .literal, .name: []
        case .select(let operand, _, _, _), .not(let operand), .negate(let operand): [operand]
        case .index(let operand, let key, _): [operand, key]
        case .call(_, _, let receiver, let arguments): (receiver.map { [$0] } ?? []) + arguments
        case .list(let elements): elements.map(\.value)
        case .and(let terms), .or(let terms): terms
        case .map(let entries): entries.flatMap { [$0.key, $0.value] }
        case .binary(_, _, let left, let right): [left, right]
        case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
        }
    }
}
