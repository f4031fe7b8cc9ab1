/// The last few values, in a ring that grows only as values come.
@frozen
@usableFromInline
struct LastValues<Value: Sendable>: Sendable {
    @usableFromInline var values: [Value] = []
    /// Where the oldest value stands once the ring is full.
    @usableFromInline var oldest = 0

    @inlinable
    init() {}

    /// Takes a value, and returns the oldest if there are then more than `limit`, which is at least one.
    @inlinable
    mutating func push(_ value: Value, limit: Int) -> Value? {
        guard values.count == limit else {
            values.append(value)
            return nil
        }
        let displaced = values[oldest]
        values[oldest] = value
        oldest = oldest + 1 == limit ? 0 : oldest + 1
        return displaced
    }

    @inlinable
    var inOrder: [Value] { oldest == 0 ? values : Array(values[oldest...] + values[..<oldest]) }
}
