/// An expression with its names resolved and its types known as far as possible. The program and the match are made
/// from it.
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
        /// All values that the record has for the field.
        case every(Int)
        /// Whether any of the field's values equals the operand, or is an element of it.
        case anyEqual(field: Int, Term, isMembership: Bool)
        /// A macro's variable.
        case local(Int)
        /// When the evaluation began.
        case now
        case not(Term)
        case negate(Term)
        case and([Term])
        case or([Term])
        case conditional(Term, then: Term, otherwise: Term)
        case binary(BinaryOperator, Term, Term)
        case list([Element])
        case map([Entry])
        case select(Term, member: [UInt8], Access)
        case index(Term, Term, Access)
        case call(Function, [Term])
        /// The pattern was compiled along with the expression. Null is no match for `=~`, and an error for `matches`.
        case matches(Term, RegularExpression, nullIsNoMatch: Bool)
        case loop(Loop)
        /// `cel.bind`: the value is computed when the body first uses it.
        case bind(slot: Int, Term, body: Term)
        /// `optMap`, and `optFlatMap` where the body returns an optional itself.
        case mapOptional(Term, slot: Int, body: Term, isFlat: Bool)
        /// Fails when reached. Only an expression compiled without checks has these.
        case failure(Fault.Code)
    }

    /// The result for an absent member or element.
    enum Access: Sendable {
        /// An error.
        case required
        /// An empty optional.
        case optional
        /// `false`, and `true` if it is there.
        case presence
    }

    struct Element: Sendable {
        var term: Term
        var isOptional: Bool
    }

    struct Entry: Sendable {
        var key: Term
        var value: Term
        var isOptional: Bool
    }

    var constant: OwnedValue? {
        if case .constant(let value) = kind { value } else { nil }
    }

    var field: Int? {
        if case .field(let index) = kind { index } else { nil }
    }
}
