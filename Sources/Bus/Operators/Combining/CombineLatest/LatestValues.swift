/// The latest values of all inputs of a `combineLatest`, and their combination.
@usableFromInline
protocol LatestValues<Joined>: Sendable {
    associatedtype Joined: Sendable

    /// Lends the combination of the values; nothing while an input is silent.
    ///
    /// Nobody puts a value meanwhile: only the deliverer lends.
    mutating func lend(to body: (Joined) -> Demand) -> Demand?
}

/// The place among them for an input's values.
@usableFromInline
protocol LatestPlace<Value, Values>: Sendable {
    associatedtype Value: Sendable
    associatedtype Values: LatestValues

    func put(_ value: Value, in values: inout Values)

    /// Whether nothing was put here yet.
    func isSilent(in values: Values) -> Bool
}
