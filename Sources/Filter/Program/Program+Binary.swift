extension Program {
    /// An operation on two values, neither of which is an error.
    func binary(
        _ operation: Instruction.Operation,
        _ left: Value,
        _ right: Value,
        _ index: Int32,
        _ arena: inout Arena
    ) -> Value {
        switch operation {
        case .equal: return .bool(Comparison.equal(left, right))
        case .notEqual: return .bool(!Comparison.equal(left, right))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let order = Comparison.order(left, right) else { return unordered(left, right, index) }
            switch operation {
            case .less: return .bool(order < 0)
            case .lessOrEqual: return .bool(order <= 0)
            case .greater: return .bool(order > 0)
            default: return .bool(order >= 0)
            }
        case .isIn:
            guard case .list(let elements) = right else { return noOverload(left, right, index) }
            for element in elements where Comparison.equal(left, element) { return .bool(true) }
            return .bool(false)
        case .startsWith, .endsWith, .contains:
            guard case .string(let text) = left, case .string(let part) = right else {
                return noOverload(left, right, index)
            }
            switch operation {
            case .startsWith: return .bool(ByteText.starts(text, with: part))
            case .endsWith: return .bool(ByteText.ends(text, with: part))
            default: return .bool(ByteText.contains(text, part))
            }
        case .matchesDynamicUnlessNull:
            if case .null = left { return .bool(false) }
            return matchPattern(left, right, index)
        case .matchesDynamic: return matchPattern(left, right, index)
        case .index: return element(left, right, index)
        default: return arithmetic(operation, left, right, index, &arena)
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

    private func element(_ list: Value, _ key: Value, _ index: Int32) -> Value {
        guard case .list(let elements) = list else { return noOverload(list, key, index) }
        let position: Int? =
            switch key {
            case .int(let value): Int(value)
            case .uint(let value): Int(exactly: value) ?? .max
            case .double(let value): Int(exactly: value)
            default: nil
            }
        guard let position else { return noOverload(list, key, index) }
        guard elements.indices.contains(position) else {
            return .error(fault(.indexOutOfRange, .list, key.kind, index))
        }
        return elements[position]
    }

    /// The pattern comes from the record, so that it is compiled for this one match.
    private func matchPattern(_ text: Value, _ pattern: Value, _ index: Int32) -> Value {
        guard case .string(let bytes) = text, case .string(let patternBytes) = pattern else {
            return noOverload(text, pattern, index)
        }
        do throws(RegularExpression.Refusal) {
            return .bool(try RegularExpression(patternBytes).matches(bytes))
        } catch {
            return .error(fault(.invalidPattern, .string, .string, index))
        }
    }
}
