/// An expression whose names are resolved and whose types are known as far as they can be: what the program and the
/// match are made from.
struct Term: Sendable {
    let kind: Kind
    let type: StaticType
    let range: SourceRange

    indirect enum Kind: Sendable {
        case constant(OwnedValue)
        /// Counted in the order in which the expression first names its fields.
        case field(Int)
        /// Whether the record has the field.
        case presence(Int)
        case not(Term)
        case negate(Term)
        case and([Term])
        case or([Term])
        case conditional(Term, then: Term, otherwise: Term)
        case binary(BinaryOperator, Term, Term)
        case list([Term])
        case index(Term, Term)
        case call(Function, [Term])
        /// With a pattern that was compiled along with the expression. Null is no match for `=~`, and an error for
        /// `matches`.
        case matches(Term, RegularExpression, nullIsNoMatch: Bool)
        /// Fails when reached. Only an expression compiled without checks has these.
        case failure(Fault.Code)
    }

    var constant: OwnedValue? {
        if case .constant(let value) = kind { value } else { nil }
    }

    var field: Int? {
        if case .field(let index) = kind { index } else { nil }
    }
}
