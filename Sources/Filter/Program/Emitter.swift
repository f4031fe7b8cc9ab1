/// Lays a checked expression out as instructions, operands before what uses them.
struct Emitter {
    private(set) var instructions: [Instruction] = []
    private(set) var ranges: [SourceRange] = []
    private(set) var operands: [Int32] = []
    private(set) var constants: [OwnedValue] = []
    private(set) var patterns: [RegularExpression] = []

    mutating func emit(_ term: Term) -> Int32 {
        switch term.kind {
        case .constant(let value): return append(.constant, constant(value), 0, term)
        case .field(let field): return append(.field, Int32(field), 0, term)
        case .presence(let field): return append(.presence, Int32(field), 0, term)
        case .not(let operand): return append(.not, emit(operand), 0, term)
        case .negate(let operand): return append(.negate, emit(operand), 0, term)
        case .and(let terms): return append(.and, list(terms), Int32(terms.count), term)
        case .or(let terms): return append(.or, list(terms), Int32(terms.count), term)
        case .list(let terms): return append(.list, list(terms), Int32(terms.count), term)
        case .conditional(let condition, let then, let otherwise):
            return append(.conditional, list([condition, then, otherwise]), 3, term)
        case .binary(let infix, let left, let right): return binary(infix, left, right, term)
        case .index(let operand, let key): return append(.index, emit(operand), emit(key), term)
        case .call(let function, let arguments): return call(function, arguments, term)
        case .matches(let operand, let pattern, let nullIsNoMatch):
            patterns.append(pattern)
            let index = Int32(patterns.count - 1)
            return append(nullIsNoMatch ? .matchesUnlessNull : .matches, emit(operand), index, term)
        case .failure(let code): return append(.failure, Int32(code.rawValue), 0, term)
        }
    }

    private mutating func binary(_ infix: BinaryOperator, _ left: Term, _ right: Term, _ term: Term) -> Int32 {
        let operation: Instruction.Operation =
            switch infix {
            case .equal: .equal
            case .notEqual: .notEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            case .isIn: .isIn
            case .matches, .doesNotMatch: .matchesDynamicUnlessNull
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            case .divide: .divide
            case .remainder: .remainder
            }
        return append(operation, emit(left), emit(right), term)
    }

    private mutating func call(_ function: Function, _ arguments: [Term], _ term: Term) -> Int32 {
        let operation: Instruction.Operation
        switch function {
        case .dyn: return emit(arguments[0])
        case .startsWith: operation = .startsWith
        case .endsWith: operation = .endsWith
        case .contains: operation = .contains
        case .matches: operation = .matchesDynamic
        case .size: operation = .size
        case .bool: operation = .toBool
        case .bytes: operation = .toBytes
        case .double: operation = .toDouble
        case .duration: operation = .toDuration
        case .int: operation = .toInt
        case .string: operation = .toString
        case .timestamp: operation = .toTimestamp
        case .type: operation = .typeOf
        case .uint: operation = .toUInt
        }
        let first = emit(arguments[0])
        return append(operation, first, arguments.count > 1 ? emit(arguments[1]) : 0, term)
    }

    private mutating func list(_ terms: [Term]) -> Int32 {
        // Emitted before they are listed: a nested list would otherwise stand between them.
        var indices: [Int32] = []
        indices.reserveCapacity(terms.count)
        for term in terms { indices.append(emit(term)) }
        operands.append(contentsOf: indices)
        return Int32(operands.count - indices.count)
    }

    private mutating func constant(_ value: OwnedValue) -> Int32 {
        constants.append(value)
        return Int32(constants.count - 1)
    }

    private mutating func append(_ operation: Instruction.Operation, _ a: Int32, _ b: Int32, _ term: Term) -> Int32 {
        instructions.append(Instruction(operation: operation, a: a, b: b))
        ranges.append(term.range)
        return Int32(instructions.count - 1)
    }
}
