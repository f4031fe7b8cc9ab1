/// `indexOf` and `lastIndexOf`.
enum TextSearch {
    /// -1 when the text does not hold the part; an error when the search would begin beyond its end.
    static func first(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard let text = CodePoints(arguments[0]), case .string(let part) = arguments[1] else {
            return .failure(.noOverload)
        }
        guard state.allowance.payForText(part.count) else { return .failure(.tooCostly) }
        var start = 0
        if arguments.count > 2 {
            guard case .int(let position) = arguments[2] else { return .failure(.noOverload) }
            guard let offset = text.offset(of: Int(position)) else { return .failure(.positionOutOfRange) }
            start = offset
        }
        guard let found = ByteText.firstOffset(of: part, in: text.slice(start..<text.bytes.count)) else {
            return .success(.int(-1))
        }
        return .success(.int(text.position(of: start + found)))
    }

    /// With a position, the last occurrence that begins there or before.
    static func last(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard let text = CodePoints(arguments[0]), case .string(let part) = arguments[1] else {
            return .failure(.noOverload)
        }
        guard part.count <= text.bytes.count else { return .success(.int(-1)) }
        // Each byte of both is looked at up to twice.
        guard state.allowance.pay(part.count), state.allowance.pay(text.bytes.count) else {
            return .failure(.tooCostly)
        }
        var start = text.bytes.count
        if arguments.count > 2 {
            guard case .int(let position) = arguments[2] else { return .failure(.noOverload) }
            guard let offset = text.offset(of: Int(position)) else { return .failure(.positionOutOfRange) }
            start = offset
        }
        let end = min(text.bytes.count, start + part.count)
        guard let found = ByteText.lastOffset(of: part, in: text.slice(0..<end)) else { return .success(.int(-1)) }
        return .success(.int(text.position(of: found)))
    }
}
