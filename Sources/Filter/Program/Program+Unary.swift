import CRE2

extension Program {
    /// An operation on one value, which is not an error.
    func unary(_ instruction: Instruction, _ operand: Value, _ index: Int32, _ state: inout Evaluation) -> Value {
        switch instruction.operation {
        case .not:
            guard case .bool(let value) = operand else { return failure(.noOverload, index, operand) }
            return .bool(!value)
        case .matchesUnlessNull:
            if case .null = operand { return .bool(false) }
            return match(instruction, operand, index, &state)
        case .matches: return match(instruction, operand, index, &state)
        case .select: return member(operand, instruction, .required, index, &state)
        case .selectOptional: return member(operand, instruction, .optional, index, &state)
        case .selectPresence: return member(operand, instruction, .presence, index, &state)
        default:
            switch operand {
            case .int(let value): return value == .min ? .error(fault(.overflow, .int, .int, index)) : .int(-value)
            case .double(let value): return .double(-value)
            default: return failure(.noOverload, index, operand)
            }
        }
    }

    private func member(
        _ operand: Value,
        _ instruction: Instruction,
        _ access: Term.Access,
        _ index: Int32,
        _ state: inout Evaluation
    ) -> Value {
        element(operand, constants[Int(instruction.b)], access, index, &state)
    }

    private func match(_ instruction: Instruction, _ operand: Value, _ index: Int32, _ state: inout Evaluation) -> Value
    {
        guard case .string(let text) = operand else { return failure(.noOverload, index, operand) }
        let pattern = patterns[Int(instruction.b)]
        guard state.allowance.payForMatch(text.count, programSize: pattern.size) else {
            return failure(.tooCostly, index)
        }
        return .bool(cre2_matches(pattern.handle, text.baseAddress, text.count))
    }
}
