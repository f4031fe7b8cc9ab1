/// Making optionals, and taking them apart.
enum OptionalFunctions {
    static func of(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        some(arguments[0], &state)
    }

    static func ofNonZeroValue(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        arguments[0].isZero ? .success(.optional(nil)) : some(arguments[0], &state)
    }

    /// An element of a list, if it has such a one.
    @inline(__always)
    static func element(
        _ arguments: Function.Arguments,
        _ state: inout Evaluation,
        _ choose: (UnsafeBufferPointer<Value>) -> Value?
    ) -> CallResult {
        guard case .list(let elements) = arguments[0] else { return .failure(.noOverload) }
        return choose(elements).map { some($0, &state) } ?? .success(.optional(nil))
    }

    static func hasValue(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .optional(let content) = arguments[0] else { return .failure(.noOverload) }
        return .success(.bool(content != nil))
    }

    static func value(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .optional(let content) = arguments[0] else { return .failure(.noOverload) }
        return content.map { .success($0.pointee) } ?? .failure(.emptyOptional)
    }

    static func orValue(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .optional(let content) = arguments[0] else { return .failure(.noOverload) }
        return .success(content?.pointee ?? arguments[1])
    }

    static func or(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .optional(let content) = arguments[0] else { return .failure(.noOverload) }
        guard case .optional = arguments[1] else { return .failure(.notOptional) }
        return .success(content == nil ? arguments[1] : arguments[0])
    }

    private static func some(_ value: Value, _ state: inout Evaluation) -> CallResult {
        guard state.arena.mayHold(MemoryLayout<Value>.stride) else { return .failure(.tooLarge) }
        return .success(.optional(state.arena.boxed(value)))
    }

    /// The values of a list's non-empty optionals.
    static func unwrap(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .list(let elements) = arguments[0] else { return .failure(.noOverload) }
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
