extension Program {
    /// Asks a record for a field's value of that number.
    typealias Reader = (FieldID, Int) -> FieldValue

    /// The expression's value for a record. Text and lists in it live as long as the record, the program and the
    /// evaluation.
    func evaluate(_ state: inout Evaluation, _ read: Reader) -> Value {
        let value = evaluate(root, &state, read)
        // The result is discarded, because it was not paid for.
        return state.allowance.isExhausted ? .error(fault(.tooCostly, .null, .null, root)) : value
    }

    /// Recursion is bounded by the parser's depth limit.
    func evaluate(_ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        let instruction = instructions[Int(index)]
        state.allowance.payForInstruction()
        switch instruction.operation {
        case .constant: return constants[Int(instruction.a)]
        case .field: return value(read(fieldIDs[Int(instruction.a)], 0), index, &state)
        case .local: return state[instruction.a]
        case .presence:
            if case .absent = read(fieldIDs[Int(instruction.a)], 0) { return .bool(false) }
            return .bool(true)
        case .and: return fold(instruction, deciding: false, index, &state, read)
        case .or: return fold(instruction, deciding: true, index, &state, read)
        case .conditional: return conditional(instruction, index, &state, read)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .startsWith, .endsWith,
            .contains, .add, .subtract, .multiply, .divide, .remainder, .index, .indexOptional, .matchesDynamic,
            .matchesDynamicUnlessNull:
            let left = evaluate(instruction.a, &state, read)
            if case .error = left { return left }
            let right = evaluate(instruction.b, &state, read)
            if case .error = right { return right }
            return binary(instruction.operation, left, right, index, &state)
        case .not, .negate, .matches, .matchesUnlessNull, .select, .selectOptional, .selectPresence:
            let operand = evaluate(instruction.a, &state, read)
            if case .error = operand { return operand }
            return unary(instruction, operand, index, &state)
        case .anyEqual, .anyIn: return anyEqual(instruction, index, &state, read)
        case .call: return call(instruction, index, &state, read)
        case .now: return state.now()
        case .failure:
            return .error(fault(Fault.Code(rawValue: UInt8(instruction.a)) ?? .unknownName, .null, .null, index))
        case .list: return list(instruction, index, &state, read)
        case .map: return map(instruction, index, &state, read)
        case .every: return every(instruction, index, &state, read)
        case .loop: return loop(instruction, index, &state, read)
        case .bind: return bind(instruction, &state, read)
        case .mapOptional, .flatMapOptional: return mapOptional(instruction, index, &state, read)
        }
    }

    /// Evaluates the arguments from left to right and calls the function with them.
    @inline(never)
    private func call(_ instruction: Instruction, _ index: Int32, _ state: inout Evaluation, _ read: Reader) -> Value {
        let count = Int(instruction.b)
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: max(1, count)) { arguments in
            for place in 0..<count {
                let argument = evaluate(operands[Int(instruction.a) + place], &state, read)
                if case .error = argument { return argument }
                arguments.initializeElement(at: place, to: argument)
            }
            let arguments = UnsafeBufferPointer(start: arguments.baseAddress, count: count)
            switch calls[Int(instruction.function)](arguments, &state) {
            case .success(let value): return value
            case .failure(let code):
                return failure(code, index, arguments.first ?? .null, count > 1 ? arguments[1] : .null)
            }
        }
    }

    /// `&&` and `||`: an operand that decides wins over errors on either side of it; an error wins over the rest.
    private func fold(
        _ instruction: Instruction,
        deciding: Bool,
        _ index: Int32,
        _ state: inout Evaluation,
        _ read: Reader
    ) -> Value {
        var held: Value?
        for position in instruction.a..<(instruction.a + instruction.b) {
            let operand = evaluate(operands[Int(position)], &state, read)
            switch operand {
            case .bool(let value):
                if value == deciding { return operand }
            case .error:
                if held == nil { held = operand }
            default:
                if held == nil { held = .error(fault(.notBoolean, operand.kind, .null, index)) }
            }
        }
        return held ?? .bool(!deciding)
    }

    private func conditional(
        _ instruction: Instruction,
        _ index: Int32,
        _ state: inout Evaluation,
        _ read: Reader
    ) -> Value {
        let first = Int(instruction.a)
        switch evaluate(operands[first], &state, read) {
        case .bool(true): return evaluate(operands[first + 1], &state, read)
        case .bool(false): return evaluate(operands[first + 2], &state, read)
        case .error(let fault): return .error(fault)
        case let other: return .error(fault(.notBoolean, other.kind, .null, index))
        }
    }

    func fault(_ code: Fault.Code, _ left: ValueKind, _ right: ValueKind, _ index: Int32) -> Fault {
        Fault(code: code, left: left, right: right, instruction: index)
    }

    func failure(_ code: Fault.Code, _ index: Int32, _ left: Value = .null, _ right: Value = .null) -> Value {
        .error(fault(code, left.kind, right.kind, index))
    }
}
