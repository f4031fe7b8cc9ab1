/// An operator whose last operand is still being read.
///
/// Operators wait on a list instead of on the stack, so that only brackets and the parts of `? :` make the parser
/// recurse.
struct PendingOperator {
    enum Kind: Equatable {
        case or
        case and
        /// The word, which binds looser than a comparison, unlike `!`.
        case not
        case binary(BinaryOperator, SourceRange)
    }

    let kind: Kind

    /// Where its first operand, or the word `not`, begins.
    let lower: Int

    /// Operands read so far, for `&&` and `||`; times written, for `not`.
    var count: Int

    /// Higher binds tighter.
    var precedence: Int {
        switch kind {
        case .or: 1
        case .and: 2
        case .not: 3
        case .binary(let infix, _): 3 + infix.precedence
        }
    }
}
