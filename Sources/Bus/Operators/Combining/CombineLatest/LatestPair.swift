/// The latest values of two inputs.
@frozen
@usableFromInline
struct LatestPair<First: Sendable, Second: Sendable>: LatestValues {
    @usableFromInline var first: First?
    @usableFromInline var second: Second?

    @inlinable
    init() {}

    @inlinable
    @inline(__always)
    mutating func lend(to body: ((First, Second)) -> Demand) -> Demand? {
        guard let first, let second else { return nil }
        return body((first, second))
    }
}

@frozen
@usableFromInline
struct FirstOfPair<First: Sendable, Second: Sendable>: LatestPlace {
    @inlinable
    init() {}

    @inlinable
    func put(_ value: First, in values: inout LatestPair<First, Second>) { values.first = value }

    @inlinable
    func isSilent(in values: LatestPair<First, Second>) -> Bool { values.first == nil }
}

@frozen
@usableFromInline
struct SecondOfPair<First: Sendable, Second: Sendable>: LatestPlace {
    @inlinable
    init() {}

    @inlinable
    func put(_ value: Second, in values: inout LatestPair<First, Second>) { values.second = value }

    @inlinable
    func isSilent(in values: LatestPair<First, Second>) -> Bool { values.second == nil }
}
