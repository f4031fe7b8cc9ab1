/// Functions of numbers: rounding, comparing, and tests such as `math.isNaN`.
enum MathFunctions {
    @inline(__always)
    static func ofDouble(_ arguments: Function.Arguments, _ function: (Double) -> Value) -> CallResult {
        guard case .double(let value) = arguments[0] else { return .failure(.noOverload) }
        return .success(function(value))
    }

    static func greatest(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        extreme(arguments, &state) { $0 > 0 }
    }

    static func least(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        extreme(arguments, &state) { $0 < 0 }
    }

    /// Of equal numbers, the first.
    @inline(__always)
    private static func extreme(
        _ arguments: Function.Arguments,
        _ state: inout Evaluation,
        _ isBetter: (Int) -> Bool
    ) -> CallResult {
        var numbers = arguments
        if arguments.count == 1, case .list(let elements) = arguments[0] { numbers = elements }
        guard var best = numbers.first else { return .failure(.emptyList) }
        guard state.allowance.pay(numbers.count) else { return .failure(.tooCostly) }
        for number in numbers {
            guard number.isNumber else { return .failure(.noOverload) }
            guard let order = Comparison.order(number, best, &state.allowance) else { continue }
            if isBetter(order) { best = number }
        }
        return .success(best)
    }

    static func abs(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        switch arguments[0] {
        case .int(let value): value == .min ? .failure(.overflow) : .success(.int(Swift.abs(value)))
        case .uint: .success(arguments[0])
        case .double(let value): .success(.double(value.magnitude))
        default: .failure(.noOverload)
        }
    }

    static func sign(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        switch arguments[0] {
        case .int(let value): .success(.int(value.signum()))
        case .uint(let value): .success(.uint(value == 0 ? 0 : 1))
        // Neither zero nor NaN has a sign of its own.
        case .double(let value): .success(.double(value > 0 ? 1 : value < 0 ? -1 : value))
        default: .failure(.noOverload)
        }
    }

    static func sqrt(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        switch arguments[0] {
        case .double(let value): .success(.double(value.squareRoot()))
        case .int(let value): .success(.double(Double(value).squareRoot()))
        case .uint(let value): .success(.double(Double(value).squareRoot()))
        default: .failure(.noOverload)
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
