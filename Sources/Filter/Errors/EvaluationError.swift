/// Why an expression had no answer for one record. Making one costs little; its words are found when they are asked
/// for.
public struct EvaluationError: Error, Sendable, CustomStringConvertible {
    private let fault: Fault
    private let program: Program

    init(_ fault: Fault, in program: Program) {
        self.fault = fault
        self.program = program
    }

    private var range: SourceRange {
        program.ranges[Int(fault.instruction)]
    }

    /// The part of the expression that failed.
    public var part: String {
        program.source.text(range)
    }

    /// What went wrong with it.
    public var message: String {
        let left = fault.left.phrase
        let right = fault.right.phrase
        switch fault.code {
        case .noOverload where fault.right == .null: return "this cannot be done with \(left)"
        case .noOverload: return "this cannot be done with \(left) and \(right)"
        case .overflow: return "the result does not fit into 64 bits"
        case .divisionByZero: return "division by zero"
        case .outOfRange: return "the result is out of range"
        case .indexOutOfRange: return "the list has no element at that index"
        case .notConvertible: return "\(left) with this content cannot be converted"
        case .invalidUTF8: return "the bytes are not UTF-8"
        case .invalidPattern: return "the regular expression is refused"
        case .unknownName: return "there is no such name"
        case .unknownFunction: return "there is no such function"
        case .noMembers: return "the value has no members"
        case .tooLarge: return "the evaluation would need too much memory"
        case .notBoolean: return "true or false is needed, not \(left)"
        }
    }

    /// 1-based.
    public var line: Int { program.source.lineNumber(at: range.lower) }

    /// 1-based, in characters.
    public var column: Int { program.source.column(at: range.lower) }

    public var description: String {
        let excerpt = SourceExcerpt(range, in: program.source)
        return "line \(line), column \(column): \(message)\(excerpt.rendered(indent: "  "))"
    }
}
