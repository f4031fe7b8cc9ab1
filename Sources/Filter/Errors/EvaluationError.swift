/// The reason why an expression had no answer for one record. Making one costs little; its text is made when it is
/// read.
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

    /// A description of the mistake.
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
        case .noMembers: return "\(left) has no members"
        case .tooLarge: return "the evaluation would need too much memory"
        case .tooCostly: return "the evaluation was stopped, because it would cost more than \(program.limits.cost)"
        case .runTooCostly:
            return "the evaluation was stopped, because those before it cost nearly all that they may cost together"
        case .noSuchKey: return "the map has no such key"
        case .repeatedKey: return "a key stands twice in the map"
        case .unsupportedKey: return "\(left) cannot be the key of a map"
        case .emptyOptional: return "the optional has no value"
        case .notOptional: return "an optional is needed, not \(left)"
        case .positionOutOfRange: return "the text has no such position"
        case .invalidSpan: return "the end lies before the start"
        case .emptyList: return "the list is empty"
        case .negativeShift: return "bits cannot be shifted by a negative number"
        case .unknownZone: return "this system knows no such time zone"
        case .noAddress: return "the text is no IP address or network"
        case .invalidFormat: return "the format has a clause that means nothing"
        case .missingArgument: return "the format asks for more values than the list has"
        case .invalidJSON: return "the field's text is not JSON"
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
