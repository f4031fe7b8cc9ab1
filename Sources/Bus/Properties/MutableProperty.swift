/// A value that several threads may read, set and follow. ReactiveCocoa's `RACObserve` without a runtime.
///
/// ```swift
/// import Bus
///
/// let load = MutableProperty(0.0)
/// let subscription = load.values.map { $0 > 0.9 }.removeDuplicates().subscribe(next: { print($0 ? "busy" : "idle") })
/// load.value = 0.95
/// ```
///
/// A set is heard after it has happened (`didSet`), by all subscribers in one order, which is the order of the sets.
/// Sets are heard whether the value differs or not; use `removeDuplicates()` to hear only changes. A set from inside
/// a subscriber returns at once, ``value`` is the new one at once, and it is heard after the present one.
///
/// A class that is `Sendable` keeps a property in a `let`; in others, ``Observed`` makes one look like a variable.
/// When the property is released its signals complete: that is how followers of an object learn of its death. No
/// signal, derived property or subscription keeps it alive.
public final class MutableProperty<Value: Sendable>: PropertyProtocol {
    @usableFromInline let core: CurrentValueCore<Value, Never>
    /// The one signal that it is assigned from.
    let binding = SerialDisposable()

    /// - Parameters:
    ///   - value: the first value.
    ///   - limit: how many values may wait while another is being delivered.
    @inlinable
    public init(_ value: Value, limit: Int = 65_536) {
        core = CurrentValueCore(value, limit: limit)
    }

    deinit {
        binding.dispose()
        core.terminate(.completed)
    }

    /// The value that was set last, by any thread.
    @inlinable
    public var value: Value {
        get { core.value }
        set { core.write(newValue) }
    }

    /// Sets the value and returns the previous one, in one step.
    @inlinable
    @discardableResult
    public func swap(_ value: Value) -> Value {
        core.write(value)
    }

    /// Changes the value in one step: no other thread's set comes in between.
    ///
    /// The value is set, and heard, once, whatever `change` does to it; when `change` throws, not at all. A set of this
    /// property from inside `change` is heard and then overwritten.
    ///
    /// - Parameter change: runs on this thread without a lock, so it may do anything; when another thread set the
    ///   value meanwhile it runs again, on the new value. It gets a copy: a large array is copied.
    /// - Throws: the error of `change`.
    @inlinable
    public func modify<Result, Problem: Error>(
        _ change: (inout Value) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        try core.modify(change)
    }

    /// How many values were not heard because `limit` of them were waiting.
    public var lost: Int { core.lost }

    public var values: PropertyValues<Value> { PropertyValues(core, binding) }

    public var readOnly: Property<Value> {
        Property(get: { [core] in core.value }, values: AnySignal(values))
    }
}

/// A property's present value and every later one. See ``PropertyProtocol/values``.
public struct PropertyValues<Value: Sendable>: Signal {
    public typealias Failure = Never
    // Not the property, so that following it does not keep it alive.
    @usableFromInline let core: CurrentValueCore<Value, Never>
    /// The one signal that the property is assigned from.
    let binding: SerialDisposable

    init(_ core: CurrentValueCore<Value, Never>, _ binding: SerialDisposable) {
        self.core = core
        self.binding = binding
    }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        core.output.attach(observer)
    }

    public var chain: Chain { Chain(source: "property") }
}
