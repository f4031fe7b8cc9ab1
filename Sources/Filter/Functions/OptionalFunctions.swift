/// Making optionals, and taking them apart.
enum OptionalFunctions {
    static func call(_ function: Function, _ arguments: UnsafeBufferPointer<Value>, _ state: inout Evaluation)
        -> CallResult
    {
        switch function {
        case .optionalNone: return .success(.optional(nil))
        case .optionalOf: return some(arguments[0], &state)
        case .optionalOfNonZero: return arguments[0].isZero ? .success(.optional(nil)) : some(arguments[0], &state)
        case .first, .last:
            guard case .list(let elements) = arguments[0] else { return .failure(.noOverload) }
            guard let element = function == .first ? elements.first : elements.last else {
                return .success(.optional(nil))
            }
            return some(element, &state)
        case .unwrap, .unwrapOpt: return unwrapped(arguments[0], &state)
        default: break
        }
        guard case .optional(let content) = arguments[0] else { return .failure(.noOverload) }
        switch function {
        case .hasValue: return .success(.bool(content != nil))
        case .value: return content.map { .success($0.pointee) } ?? .failure(.emptyOptional)
        case .orValue: return .success(content?.pointee ?? arguments[1])
        default:
            guard case .optional = arguments[1] else { return .failure(.notOptional) }
            return .success(content == nil ? arguments[1] : arguments[0])
        }
    }

    private static func some(_ value: Value, _ state: inout Evaluation) -> CallResult {
        guard state.arena.mayHold(MemoryLayout<Value>.stride) else { return .failure(.tooLarge) }
        return .success(.optional(state.arena.boxed(value)))
    }

    /// The values of a list's non-empty optionals.
    private static func unwrapped(_ list: Value, _ state: inout Evaluation) -> CallResult {
        guard case .list(let elements) = list else { return .failure(.noOverload) }
        guard state.allowance.pay(elements.count) else { return .failure(.tooCostly) }
        var values: [Value] = []
        for element in elements {
            guard case .optional(let content) = element else { return .failure(.notOptional) }
            if let content { values.append(content.pointee) }
        }
        guard state.arena.mayHold(values.count * MemoryLayout<Value>.stride) else {
            return .failure(.tooLarge)
        }
        return .success(.list(state.arena.list(values)))
    }
}
