extension Program {
    /// Asks a record for a field.
    typealias Reader = (FieldID) -> FieldValue

    /// The expression's value for a record. Text and lists in it live as long as the record, the program and the arena.
    func evaluate(_ arena: inout Arena, _ read: Reader) -> Value {
        evaluate(root, &arena, read)
    }

    /// Recursion is bounded by the parser's depth limit.
    func evaluate(_ index: Int32, _ arena: inout Arena, _ read: Reader) -> Value {
        let instruction = instructions[Int(index)]
        switch instruction.operation {
        case .constant: return constants[Int(instruction.a)]
        case .field: return Value(read(fieldIDs[Int(instruction.a)]))
        case .presence:
            if case .absent = read(fieldIDs[Int(instruction.a)]) { return .bool(false) }
            return .bool(true)
        case .and: return fold(instruction, deciding: false, index, &arena, read)
        case .or: return fold(instruction, deciding: true, index, &arena, read)
        case .conditional: return conditional(instruction, index, &arena, read)
        case .failure:
            return .error(
                fault(
                    Fault.Code(rawValue: UInt8(truncatingIfNeeded: instruction.a)) ?? .unknownName,
                    .null,
                    .null,
                    index
                )
            )
        case .list: return list(instruction, &arena, read)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .startsWith, .endsWith,
            .contains, .add,
            .subtract, .multiply, .divide, .remainder, .index, .matchesDynamic, .matchesDynamicUnlessNull:
            let left = evaluate(instruction.a, &arena, read)
            if case .error = left { return left }
            let right = evaluate(instruction.b, &arena, read)
            if case .error = right { return right }
            return binary(instruction.operation, left, right, index, &arena)
        default:
            let operand = evaluate(instruction.a, &arena, read)
            if case .error = operand { return operand }
            return unary(instruction, operand, index, &arena)
        }
    }

    /// `&&` and `||`: an operand that decides wins over errors on either side of it; an error wins over the rest.
    private func fold(
        _ instruction: Instruction,
        deciding: Bool,
        _ index: Int32,
        _ arena: inout Arena,
        _ read: Reader
    ) -> Value {
        var held: Value?
        for position in instruction.a..<(instruction.a + instruction.b) {
            let operand = evaluate(operands[Int(position)], &arena, read)
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

    private func conditional(_ instruction: Instruction, _ index: Int32, _ arena: inout Arena, _ read: Reader) -> Value
    {
        let first = Int(instruction.a)
        switch evaluate(operands[first], &arena, read) {
        case .bool(true): return evaluate(operands[first + 1], &arena, read)
        case .bool(false): return evaluate(operands[first + 2], &arena, read)
        case .error(let fault): return .error(fault)
        case let other: return .error(fault(.notBoolean, other.kind, .null, index))
        }
    }

    private func list(_ instruction: Instruction, _ arena: inout Arena, _ read: Reader) -> Value {
        var elements: [Value] = []
        for position in instruction.a..<(instruction.a + instruction.b) {
            let element = evaluate(operands[Int(position)], &arena, read)
            if case .error = element { return element }
            elements.append(element)
        }
        return .list(arena.list(elements))
    }

    func fault(_ code: Fault.Code, _ left: ValueKind, _ right: ValueKind, _ index: Int32) -> Fault {
        Fault(code: code, left: left, right: right, instruction: index)
    }
}
