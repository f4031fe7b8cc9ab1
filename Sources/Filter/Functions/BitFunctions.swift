/// Whole numbers as bits.
enum BitFunctions {
    /// Two numbers of one type.
    @inline(__always)
    static func combined(_ arguments: Function.Arguments, _ combine: (UInt64, UInt64) -> UInt64) -> CallResult {
        switch (arguments[0], arguments[1]) {
        case (.int(let left), .int(let right)):
            let bits = combine(UInt64(bitPattern: left), UInt64(bitPattern: right))
            return .success(.int(Int64(bitPattern: bits)))
        case (.uint(let left), .uint(let right)): return .success(.uint(combine(left, right)))
        default: return .failure(.noOverload)
        }
    }

    static func inverted(_ operand: Value) -> CallResult {
        switch operand {
        case .int(let value): .success(.int(~value))
        case .uint(let value): .success(.uint(~value))
        default: .failure(.noOverload)
        }
    }

    /// Zeros are shifted in on either side, and bits shifted out are lost: a negative number shifted right becomes a
    /// large positive one.
    @inline(__always)
    static func shifted(_ arguments: Function.Arguments, _ shift: (UInt64, UInt64) -> UInt64) -> CallResult {
        guard case .int(let distance) = arguments[1] else { return .failure(.noOverload) }
        guard distance >= 0 else { return .failure(.negativeShift) }
        switch arguments[0] {
        case .int(let value):
            return .success(.int(Int64(bitPattern: shift(UInt64(bitPattern: value), UInt64(distance)))))
        case .uint(let value): return .success(.uint(shift(value, UInt64(distance))))
        default: return .failure(.noOverload)
        }
    }
}
