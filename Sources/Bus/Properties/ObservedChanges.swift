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

    public init(wrappedValue: Value) {
        property = MutableProperty(wrappedValue)
    }

    // Not mutating: a subscriber may look at the variable while it is being set.
    public var wrappedValue: Value {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

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
