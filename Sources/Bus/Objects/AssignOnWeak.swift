extension Signal where Failure == Never {
    /// Sets an object's variable to each value, without keeping the object alive: ReactiveCocoa's `RAC(object, name) = signal`.
    ///
    /// ```
    /// self      --1---2---3---4--
    /// object    ------------x
    /// name      --1---2---3
    /// ```
    ///
    /// A variable is bound to one signal: binding it to another ends the first binding. (ReactiveCocoa stopped the
    /// program.) Only a signal that cannot fail can be bound: turn a failure into a value before.
    ///
    /// The object is `Sendable`, because it is set from the source's thread. For a class that is `@MainActor`, or is used on the
    /// main actor alone, there is ``assignOnMain(to:onWeak:limit:)``; for an ``Observed`` variable of any class,
    /// `assign(to: object.$name)`.
    ///
    /// - Ends: with the source; when the object has died, with the next value, or, if the object is a ``LifetimeOwner``, at
    ///   once.
    /// - Fails: never.
    /// - Cancelling: ends the binding; the variable keeps the last value.
    /// - Buffers: nothing.
    /// - Thread: the variable is set where the source sends; put `deliver(on:)` before it, where that matters.
    ///
    /// - Parameters:
    ///   - keyPath: the variable. It is set on any thread that the source sends on, so the object must be ready for
    ///     that.
    ///   - object: whose variable it is; not kept.
    /// - Returns: the handle that ends the binding.
    @discardableResult
    public func assign<Object: AnyObject & Sendable>(
        to keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable,
        onWeak object: Object
    ) -> any Disposable {
        let binding = KeyPathBinding(object, keyPath)
        KeyPathBinding.bindings.replace(with: binding)?.dispose()
        let weak = WeakObject(object)
        let observer = AssigningObserver(object: weak, keyPath: keyPath, lease: KeyPathBinding.Lease(binding))
        binding.subscription.set(subscribe(observer, for: weak))
        return binding
    }
}

struct AssigningObserver<Object: AnyObject & Sendable, Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    let object: WeakObject<Object>
    let keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
    let lease: KeyPathBinding.Lease

    mutating func next(_ value: Value) -> Demand {
        guard let object = object.object else { return .stop }
        object[keyPath: keyPath] = value
        return .more
    }

    mutating func lost(_ count: Int) {}

    consuming func terminate(_ termination: Termination<Never>) {}

    var demand: Demand { object.object == nil ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
