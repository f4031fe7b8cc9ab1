/// CEL's equality and order over values of any type.
enum Comparison {
    /// Each of two addresses or networks is looked at for an IPv4 address in it.
    private static let addressCost = 10

    /// Values of different types are unequal, never an error; numbers of all types lie on one line; NaN equals nothing.
    ///
    /// Every byte and element that is looked at is paid for: lists may share their parts, so a list of a few bytes
    /// can hold more elements than could ever be compared. When the allowance is exhausted, the answer means nothing.
    static func equal(_ left: Value, _ right: Value, _ allowance: inout Allowance) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)), (.bytes(let left), .bytes(let right)):
            return left.count == right.count && allowance.payForText(left.count) && ByteText.equal(left, right)
        case (.int(let left), .int(let right)): return left == right
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.timestamp(let left), .timestamp(let right)): return left == right
        case (.duration(let left), .duration(let right)): return left == right
        case (.type(let left), .type(let right)): return left == right
        case (.list(let left), .list(let right)):
            return equalElements(left, right, &allowance)
        case (.map(let left), .map(let right)): return equalElements(left, right, &allowance)
        case (.optional(let left), .optional(let right)):
            guard let left, let right else { return left == nil && right == nil }
            defer { allowance.goOut() }
            return allowance.goIn() && equal(left.pointee, right.pointee, &allowance)
        case (.ip(let left), .ip(let right)):
            return allowance.pay(addressCost)
                && ByteText.equal(NetworkText.unmapped(address: left), NetworkText.unmapped(address: right))
        case (.cidr(let left), .cidr(let right)):
            guard allowance.pay(addressCost) else { return false }
            let (left, right) = (NetworkText.unmapped(network: left), NetworkText.unmapped(network: right))
            return left.length == right.length && ByteText.equal(left.address, right.address)
        default: return numbers(left, right) == 0
        }
    }

    /// Elements of lists, or a map's keys and values: equal keys stand at the same place, because they are in order.
    private static func equalElements(
        _ left: UnsafeBufferPointer<Value>,
        _ right: UnsafeBufferPointer<Value>,
        _ allowance: inout Allowance
    ) -> Bool {
        defer { allowance.goOut() }
        guard allowance.goIn(), left.count == right.count else { return false }
        for index in 0..<left.count {
            guard allowance.pay(1), equal(left[index], right[index], &allowance) else { return false }
        }
        return true
    }

    /// Negative, zero or positive; `nil` when the types have no common order, or a number is NaN. Means nothing when
    /// the allowance is exhausted.
    static func order(_ left: Value, _ right: Value, _ allowance: inout Allowance) -> Int? {
        switch (left, right) {
        case (.string(let left), .string(let right)), (.bytes(let left), .bytes(let right)):
            return allowance.payForText(min(left.count, right.count)) ? ByteText.compare(left, right) : 0
        case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.timestamp(let left), .timestamp(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.duration(let left), .duration(let right)): return sign(left, right)
        default: return numbers(left, right)
        }
    }

    /// Both on one number line. An integer is rounded to the nearest double to be compared with one, as CEL's
    /// reference does, so that the greatest int equals 2^63; beyond the integer's range there is no rounding.
    private static func numbers(_ left: Value, _ right: Value) -> Int? {
        switch (left, right) {
        case (.int(let left), .int(let right)): return sign(left, right)
        case (.uint(let left), .uint(let right)): return sign(left, right)
        case (.double(let left), .double(let right)): return sign(left, right)
        case (.int(let left), .uint(let right)): return left < 0 ? -1 : sign(left.magnitude, right)
        case (.uint(let left), .int(let right)): return right < 0 ? 1 : sign(left, right.magnitude)
        case (.int(let left), .double(let right)): return sign(Double(left), right)
        case (.double(let left), .int(let right)): return sign(left, Double(right))
        case (.uint(let left), .double(let right)): return sign(Double(left), right)
        case (.double(let left), .uint(let right)): return sign(left, Double(right))
        default: return nil
        }
    }

    @inline(__always)
    private static func sign<Number: Comparable>(_ left: Number, _ right: Number) -> Int? {
        if left < right { return -1 }
        if left > right { return 1 }
        return left == right ? 0 : nil
    }
}
