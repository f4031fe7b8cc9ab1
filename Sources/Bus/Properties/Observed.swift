/// A variable that can be followed: `$name` is its present value and every later set.
///
/// ```swift
/// import Bus
///
/// final class Station {
///     @Observed var temperature = 20
/// }
///
/// let station = Station()
/// let subscription = station.$temperature.subscribe(next: { print($0) })  // 20
/// station.temperature = 21  // 21
/// ```
///
/// It is ReactiveCocoa's `RACObserve(station, temperature)`: the present value is heard during `subscribe`, then
/// every set, equal or not, after it has happened; when the object dies, the signal completes. See
/// ``PropertyProtocol/values`` for the rest. ``ObservedChanges`` leaves the present value out. (Combine's
/// `@Published` is heard before the set has happened.)
///
/// Reading and setting are safe on any thread, but Swift does not let a `Sendable` class have a `var`: there, keep a
/// `let` ``MutableProperty``. A copy of a struct that has one shares it. `name += 1` reads and then sets; for one
/// step, use ``property`` and its ``MutableProperty/modify(_:)``.
@propertyWrapper
public struct Observed<Value: Sendable>: Sendable {
    /// The property behind the variable: reach it as `_name.property`.
    public let property: MutableProperty<Value>

    public init(wrappedValue: Value) {
        property = MutableProperty(wrappedValue)
    }

    // Not mutating: a subscriber may look at the variable while it is being set.
    public var wrappedValue: Value {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

    public var projectedValue: PropertyValues<Value> { property.values }
}
