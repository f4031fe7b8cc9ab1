import CRE2

extension Program {
    /// An operation on one value, which is not an error.
    func unary(_ instruction: Instruction, _ operand: Value, _ index: Int32, _ arena: inout Arena) -> Value {
        switch instruction.operation {
        case .not:
            guard case .bool(let value) = operand else { return noOverload(operand, index) }
            return .bool(!value)
        case .matchesUnlessNull:
            if case .null = operand { return .bool(false) }
            return match(instruction, operand, index)
        case .matches: return match(instruction, operand, index)
        case .negate:
            switch operand {
            case .int(let value): return value == .min ? .error(fault(.overflow, .int, .int, index)) : .int(-value)
            case .double(let value): return .double(-value)
            default: return noOverload(operand, index)
            }
        case .size:
            switch operand {
            case .string(let text): return .int(ByteText.codePoints(text))
            case .bytes(let bytes): return .int(Int64(bytes.count))
            case .list(let elements): return .int(Int64(elements.count))
            default: return noOverload(operand, index)
            }
        default: return convert(instruction.operation, operand, index, &arena)
        }
    }

    private func noOverload(_ operand: Value, _ index: Int32) -> Value {
        .error(fault(.noOverload, operand.kind, .null, index))
    }

    private func match(_ instruction: Instruction, _ operand: Value, _ index: Int32) -> Value {
        guard case .string(let text) = operand else { return noOverload(operand, index) }
        return .bool(cre2_matches(patterns[Int(instruction.b)], text.baseAddress, text.count))
    }

    @inline(never)
    private func convert(
        _ operation: Instruction.Operation,
        _ operand: Value,
        _ index: Int32,
        _ arena: inout Arena
    ) -> Value {
        let result: Conversion.Result
        switch operation {
        case .typeOf: return .type(operand.kind)
        case .toBool: result = Conversion.bool(operand)
        case .toBytes: result = Conversion.bytes(operand)
        case .toDouble: result = Conversion.double(operand)
        case .toDuration: result = Conversion.duration(operand)
        case .toInt: result = Conversion.int(operand)
        case .toString: result = Conversion.string(operand, &arena)
        case .toTimestamp: result = Conversion.timestamp(operand)
        default: result = Conversion.uint(operand)
        }
        switch result {
        case .success(let value): return value
        case .failure(let code): return .error(fault(code, operand.kind, .null, index))
        }
    }
}
