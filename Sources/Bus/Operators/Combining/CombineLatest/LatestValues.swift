/// The latest values of all inputs of a `combineLatest`, and what they are together.
@usableFromInline
protocol LatestValues<Joined>: Sendable {
    associatedtype Joined: Sendable

    /// Nothing while an input is silent.
    var joined: Joined? { get }
}

/// Where among them an input leaves its values.
@usableFromInline
protocol LatestPlace<Value, Values>: Sendable {
    associatedtype Value: Sendable
    associatedtype Values: LatestValues

    func put(_ value: Value, in values: inout Values)

    /// Whether nothing was put here yet.
    func isSilent(in values: Values) -> Bool
}
