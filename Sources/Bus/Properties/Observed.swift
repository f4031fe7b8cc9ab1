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

    /// - Parameter wrappedValue: the first value; `@Observed var name = value` passes it.
    public init(wrappedValue: Value) {
        property = MutableProperty(wrappedValue)
    }

    // Not mutating: a subscriber may look at the variable while it is being set.
    /// The value now. Setting it sends the new value to the subscribers of `$name`, equal or not.
    public var wrappedValue: Value {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

    /// `$name`: the value now and then every later one. See ``PropertyProtocol/values``.
    public var projectedValue: PropertyValues<Value> { property.values }
}

/// A variable that can be followed: `$name` is every later set, as the value before and after it, without the present one.
///
/// ```swift
/// import Bus
///
/// final class Station {
///     @ObservedChanges var temperature = 20
/// }
///
/// let station = Station()
/// let subscription = station.$temperature.subscribe(next: { print("from \($0.old) to \($0.new)") })
/// station.temperature = 21  // from 20 to 21
/// ```
///
/// In every other respect it is ``Observed``.
@propertyWrapper
public struct ObservedChanges<Value: Sendable>: Sendable {
    /// The property behind the variable: reach it as `_name.property`.
    public let property: MutableProperty<Value>

    /// - Parameter wrappedValue: the first value; `@ObservedChanges var name = value` passes it.
    public init(wrappedValue: Value) {
        property = MutableProperty(wrappedValue)
    }

    // Not mutating: a subscriber may look at the variable while it is being set.
    /// The value now. Setting it sends the old and the new value to the subscribers of `$name`, equal or not.
    public var wrappedValue: Value {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

    /// `$name`: every later set, as the value before and after it. See ``PropertyProtocol/changes``.
    public var projectedValue: PropertyChanges<Value> { PropertyChanges(property.core) }
}

/// A property's later values, each beside the one before it. See ``PropertyProtocol/changes``.
public struct PropertyChanges<Element: Sendable>: Signal {
    public typealias Value = (old: Element, new: Element)
    public typealias Failure = Never
    @usableFromInline let core: CurrentValueCore<Element, Never>

    init(_ core: CurrentValueCore<Element, Never>) {
        self.core = core
    }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        core.output.attach(TransducingObserver(downstream: observer, transducer: ChangePairing()))
    }

    public var chain: Chain { Chain(source: "property").appending("changes") }
}
