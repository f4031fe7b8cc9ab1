/// `size`, `type` and the conversions.
enum CoreFunctions {
    static func call(_ function: Function, _ operand: Value, _ state: inout Evaluation) -> CallResult {
        switch function {
        case .size: return size(operand, &state)
        case .type: return .success(.type(operand.kind))
        case .bool: return Conversion.bool(operand)
        case .bytes: return Conversion.bytes(operand)
        case .double: return Conversion.double(operand, &state.allowance)
        case .duration: return Conversion.duration(operand, &state.allowance)
        case .int: return Conversion.int(operand, &state.allowance)
        case .string: return Conversion.string(operand, &state.arena, &state.allowance)
        case .timestamp: return Conversion.timestamp(operand, &state.allowance)
        case .uint: return Conversion.uint(operand, &state.allowance)
        default: return .success(operand)
        }
    }

    private static func size(_ operand: Value, _ state: inout Evaluation) -> CallResult {
        switch operand {
        case .string(let text):
            guard state.allowance.payForText(text.count) else { return .failure(.tooCostly) }
            return .success(.int(ByteText.codePoints(text)))
        case .bytes(let bytes): return .success(.int(Int64(bytes.count)))
        case .list(let elements): return .success(.int(Int64(elements.count)))
        case .map(let entries): return .success(.int(Int64(entries.count / 2)))
        default: return .failure(.noOverload)
        }
    }
}
