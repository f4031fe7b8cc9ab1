/// Lays a checked expression out as instructions, operands before their users.
struct ProgramLayout {
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
        case .every(let field): return append(.every, Int32(field), 0, term)
        case .anyEqual(let field, let operand, let isMembership):
            return append(isMembership ? .anyIn : .anyEqual, Int32(field), emit(operand), term)
        case .local(let slot): return append(.local, Int32(slot), 0, term)
        case .now: return append(.now, 0, 0, term)
        case .not(let operand): return append(.not, emit(operand), 0, term)
        case .negate(let operand): return append(.negate, emit(operand), 0, term)
        case .and(let terms): return append(.and, list(terms.map { emit($0) }), Int32(terms.count), term)
        case .or(let terms): return append(.or, list(terms.map { emit($0) }), Int32(terms.count), term)
        case .list(let elements):
            let indices = elements.map { $0.isOptional ? ~emit($0.term) : emit($0.term) }
            return append(.list, list(indices), Int32(indices.count), term)
        case .map(let entries):
            let indices = entries.flatMap { [emit($0.key), $0.isOptional ? ~emit($0.value) : emit($0.value)] }
            return append(.map, list(indices), Int32(indices.count), term)
        case .conditional(let condition, let then, let otherwise):
            return append(.conditional, list([emit(condition), emit(then), emit(otherwise)]), 3, term)
        case .binary(let infix, let left, let right): return append(operation(infix), emit(left), emit(right), term)
        case .select(let operand, let member, let access): return select(operand, member, access, term)
        case .index(let operand, let key, let access):
            let operation: Instruction.Operation = if case .required = access { .index } else { .indexOptional }
            return append(operation, emit(operand), emit(key), term)
        case .call(let function, let arguments): return call(function, arguments, term)
        case .matches(let operand, let pattern, let nullIsNoMatch):
            patterns.append(pattern)
            let index = Int32(patterns.count - 1)
            return append(nullIsNoMatch ? .matchesUnlessNull : .matches, emit(operand), index, term)
        case .loop(let loop): return self.loop(loop, term)
        case .bind(let slot, let value, let body):
            return append(.bind, list([Int32(slot), emit(value), emit(body)]), 3, term)
        case .mapOptional(let target, let slot, let body, let isFlat):
            let operands = list([Int32(slot), emit(target), emit(body)])
            return append(isFlat ? .flatMapOptional : .mapOptional, operands, 3, term)
        case .failure(let code): return append(.failure, Int32(code.rawValue), 0, term)
        }
    }

    private func operation(_ infix: BinaryOperator) -> Instruction.Operation {
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
    }

    private mutating func select(_ operand: Term, _ member: [UInt8], _ access: Term.Access, _ term: Term) -> Int32 {
        let operation: Instruction.Operation =
            switch access {
            case .required: .select
            case .optional: .selectOptional
            case .presence: .selectPresence
            }
        return append(operation, emit(operand), constant(.string(member)), term)
    }

    private mutating func call(_ function: Function, _ arguments: [Term], _ term: Term) -> Int32 {
        if let operation = function.instruction {
            return append(operation, emit(arguments[0]), emit(arguments[1]), term)
        }
        let indices = arguments.map { emit($0) }
        let index = append(.call, list(indices), Int32(indices.count), term)
        instructions[Int(index)].function = function.place
        return index
    }

    private mutating func loop(_ loop: Loop, _ term: Term) -> Int32 {
        let range = emit(loop.range)
        let filter = loop.filter.map { emit($0) } ?? -1
        let body = emit(loop.body)
        let second = loop.second.map { Int32($0) } ?? -1
        return append(
            .loop,
            list([range, Int32(loop.result.rawValue), Int32(loop.first), second, filter, body]),
            6,
            term
        )
    }

    /// The indices are listed after their instructions were emitted: a nested list would otherwise stand between
    /// them.
    private mutating func list(_ indices: [Int32]) -> Int32 {
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
