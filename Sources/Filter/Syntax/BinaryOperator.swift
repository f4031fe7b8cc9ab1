/// The operators between two operands, but for `&&` and `||`, which join any number.
enum BinaryOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case matches = "=~"
    case doesNotMatch = "!~"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"

    /// Higher binds tighter.
    var precedence: Int {
        switch self {
        case .multiply, .divide, .remainder: 3
        case .add, .subtract: 2
        default: 1
        }
    }

    var isOrdering: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }

    /// The operator that says the same with its operands exchanged.
    var mirrored: BinaryOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}
