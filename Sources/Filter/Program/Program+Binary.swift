extension Program {
    /// An operation on two values, neither of which is an error.
    func binary(
        _ operation: Instruction.Operation,
        _ left: Value,
        _ right: Value,
        _ index: Int32,
        _ state: inout Evaluation
    ) -> Value {
        switch operation {
        case .equal: return .bool(Comparison.equal(left, right, &state.allowance))
        case .notEqual: return .bool(!Comparison.equal(left, right, &state.allowance))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let order = Comparison.order(left, right, &state.allowance) else {
                return unordered(left, right, index)
            }
            switch operation {
            case .less: return .bool(order < 0)
            case .lessOrEqual: return .bool(order <= 0)
            case .greater: return .bool(order > 0)
            default: return .bool(order >= 0)
            }
        case .isIn: return member(left, of: right, index, &state)
        case .startsWith, .endsWith, .contains:
            guard case .string(let text) = left, case .string(let part) = right else {
                return noOverload(left, right, index)
            }
            guard state.allowance.payForText(operation == .contains ? text.count + part.count : part.count) else {
                return failure(.tooCostly, index)
            }
            switch operation {
            case .startsWith: return .bool(ByteText.starts(text, with: part))
            case .endsWith: return .bool(ByteText.ends(text, with: part))
            default: return .bool(ByteText.contains(text, part))
            }
        case .matchesDynamicUnlessNull:
            if case .null = left { return .bool(false) }
            return matchPattern(left, right, index, &state)
        case .matchesDynamic: return matchPattern(left, right, index, &state)
        case .index: return element(left, right, .required, index, &state)
        case .indexOptional: return element(left, right, .optional, index, &state)
        default: return arithmetic(operation, left, right, index, &state)
        }
    }

    func noOverload(_ left: Value, _ right: Value, _ index: Int32) -> Value {
        .error(fault(.noOverload, left.kind, right.kind, index))
    }

    /// Only NaN has no order among numbers: nothing is less, equal or greater.
    private func unordered(_ left: Value, _ right: Value, _ index: Int32) -> Value {
        func isNumber(_ value: Value) -> Bool {
            switch value {
            case .int, .uint, .double: true
            default: false
            }
        }
        return isNumber(left) && isNumber(right) ? .bool(false) : noOverload(left, right, index)
    }

    /// The pattern comes from the record.
    @inline(never)
    private func matchPattern(_ text: Value, _ pattern: Value, _ index: Int32, _ state: inout Evaluation) -> Value {
        guard case .string(let bytes) = text, case .string(let patternBytes) = pattern else {
            return noOverload(text, pattern, index)
        }
        switch cache.expression(patternBytes, &state.allowance) {
        case .failure(let code): return .error(fault(code, .string, .string, index))
        case .success(let expression):
            guard state.allowance.payForMatch(bytes.count, programSize: expression.size) else {
                return failure(.tooCostly, index)
            }
            return .bool(expression.matches(bytes))
        }
    }
}
