import Glibc

/// Functions of numbers: rounding, comparing, and tests such as `math.isNaN`.
enum MathFunctions {
    static func call(_ function: Function, _ arguments: UnsafeBufferPointer<Value>, _ state: inout Evaluation)
        -> CallResult
    {
        switch function {
        case .greatest, .least: return extreme(function, arguments, &state)
        case .abs, .sign: return magnitude(function, arguments[0])
        case .sqrt:
            switch arguments[0] {
            case .double(let value): return .success(.double(value.squareRoot()))
            case .int(let value): return .success(.double(Double(value).squareRoot()))
            case .uint(let value): return .success(.double(Double(value).squareRoot()))
            default: return .failure(.noOverload)
            }
        default: break
        }
        guard case .double(let value) = arguments[0] else { return .failure(.noOverload) }
        switch function {
        case .ceil: return .success(.double(value.rounded(.up)))
        case .floor: return .success(.double(value.rounded(.down)))
        case .round: return .success(.double(value.rounded(.toNearestOrAwayFromZero)))
        case .trunc: return .success(.double(value.rounded(.towardZero)))
        case .isNaN: return .success(.bool(value.isNaN))
        case .isInf: return .success(.bool(value.isInfinite))
        default: return .success(.bool(value.isFinite))
        }
    }

    /// Of equal numbers, the first.
    private static func extreme(
        _ function: Function,
        _ arguments: UnsafeBufferPointer<Value>,
        _ state: inout Evaluation
    ) -> CallResult {
        var numbers = arguments
        if arguments.count == 1, case .list(let elements) = arguments[0] { numbers = elements }
        guard var best = numbers.first else { return .failure(.emptyList) }
        guard state.allowance.pay(numbers.count) else { return .failure(.tooCostly) }
        for number in numbers {
            guard number.isNumber else { return .failure(.noOverload) }
            guard let order = Comparison.order(number, best, &state.allowance) else { continue }
            if function == .greatest ? order > 0 : order < 0 { best = number }
        }
        return .success(best)
    }

    private static func magnitude(_ function: Function, _ operand: Value) -> CallResult {
        switch (function, operand) {
        case (.abs, .int(let value)):
            return value == .min ? .failure(.overflow) : .success(.int(Swift.abs(value)))
        case (.abs, .uint): return .success(operand)
        case (.abs, .double(let value)): return .success(.double(value.magnitude))
        case (_, .int(let value)): return .success(.int(value.signum()))
        case (_, .uint(let value)): return .success(.uint(value == 0 ? 0 : 1))
        case (_, .double(let value)):
            // Neither zero nor NaN has a sign of its own.
            return .success(.double(value > 0 ? 1 : value < 0 ? -1 : value))
        default: return .failure(.noOverload)
        }
    }
}

extension Value {
    var isNumber: Bool {
        switch self {
        case .int, .uint, .double: true
        default: false
        }
    }
}
