/// The latest values of all inputs of a `combineLatest`, and what they are together.
@usableFromInline
protocol LatestValues<Joined>: Sendable {
    associatedtype Joined: Sendable

    /// Lends what the values are together; nothing while an input is silent.
    ///
    /// Nobody puts a value meanwhile: who lends is the one who delivers.
    mutating func lend(to body: (Joined) -> Demand) -> Demand?
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
