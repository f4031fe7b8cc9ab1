/// Whole numbers as bits.
enum BitFunctions {
    static func call(_ function: Function, _ arguments: UnsafeBufferPointer<Value>) -> CallResult {
        switch (function, arguments[0]) {
        case (.bitShiftLeft, _), (.bitShiftRight, _): return shifted(function, arguments[0], arguments[1])
        case (.bitNot, .int(let value)): return .success(.int(~value))
        case (.bitNot, .uint(let value)): return .success(.uint(~value))
        case (_, .int(let left)) where arguments.count == 2:
            guard case .int(let right) = arguments[1] else { return .failure(.noOverload) }
            return .success(.int(combined(function, left, right)))
        case (_, .uint(let left)) where arguments.count == 2:
            guard case .uint(let right) = arguments[1] else { return .failure(.noOverload) }
            return .success(.uint(combined(function, left, right)))
        default: return .failure(.noOverload)
        }
    }

    private static func combined<Number: FixedWidthInteger>(_ function: Function, _ left: Number, _ right: Number)
        -> Number
    {
        switch function {
        case .bitAnd: left & right
        case .bitOr: left | right
        default: left ^ right
        }
    }

    /// Zeros are shifted in on either side, and bits shifted out are lost: a negative number shifted right becomes a
    /// large positive one.
    private static func shifted(_ function: Function, _ operand: Value, _ distance: Value) -> CallResult {
        guard case .int(let distance) = distance else { return .failure(.noOverload) }
        guard distance >= 0 else { return .failure(.negativeShift) }
        func moved(_ bits: UInt64) -> UInt64 {
            // Swift's shifts give 0 beyond the width.
            function == .bitShiftLeft ? bits << UInt64(distance) : bits >> UInt64(distance)
        }
        switch operand {
        case .int(let value): return .success(.int(Int64(bitPattern: moved(UInt64(bitPattern: value)))))
        case .uint(let value): return .success(.uint(moved(value)))
        default: return .failure(.noOverload)
        }
    }
}
