import JSONScan

/// `base64.encode` and `base64.decode`.
extension Base64 {
    static func encode(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .bytes(let bytes) = arguments[0] else { return .failure(.noOverload) }
        let length = bytes.count / 3 * 4 + 4
        guard state.allowance.pay(bytes.count + length) else { return .failure(.tooCostly) }
        guard state.arena.mayHold(length) else { return .failure(.tooLarge) }
        return .success(.string(state.arena.text(encode(bytes))))
    }

    static func decode(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .string(let text) = arguments[0] else { return .failure(.noOverload) }
        guard state.arena.mayHold(text.count) else { return .failure(.tooLarge) }
        guard let bytes = decode(text) else { return .failure(.notConvertible) }
        return .success(.bytes(state.arena.text(bytes)))
    }
}
