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

    mutating func lost(_ count: Int) { Subscriptions.countUnheardLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) {}

    var demand: Demand { object.object == nil ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}

/// A variable of an object, bound to a signal.
final class KeyPathBinding: Disposable {
    /// The bound variable. The object may be dead and another at its address: then the binding is over anyway.
    struct Target: Hashable, Sendable {
        let object: ObjectIdentifier
        let keyPath: any AnyKeyPath & Sendable

        static func == (one: Target, other: Target) -> Bool {
            one.object == other.object && one.keyPath as AnyKeyPath == other.keyPath as AnyKeyPath
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(object)
            hasher.combine(keyPath as AnyKeyPath)
        }
    }

    /// Ends the binding when the observer that sets the variable is released.
    final class Lease: Sendable {
        private let binding: KeyPathBinding

        init(_ binding: KeyPathBinding) {
            self.binding = binding
        }

        deinit {
            KeyPathBinding.bindings.remove(binding)
        }
    }

    let target: Target
    let subscription = SerialDisposable()

    init(_ object: AnyObject, _ keyPath: any AnyKeyPath & Sendable) {
        target = Target(object: ObjectIdentifier(object), keyPath: keyPath)
    }

    func dispose() { subscription.dispose() }

    var isDisposed: Bool { subscription.isDisposed }

    static let bindings = Bindings()

    /// All bindings in force, so that there is one for a variable.
    final class Bindings: Sendable {
        private let inForce = Lock<[Target: KeyPathBinding]>([:])

        var count: Int { inForce.withLock { $0.count } }

        /// Returns the binding that it replaces.
        func replace(with binding: KeyPathBinding) -> KeyPathBinding? {
            inForce.withLock { inForce -> KeyPathBinding? in
                inForce.updateValue(binding, forKey: binding.target)
            }
        }

        func remove(_ binding: KeyPathBinding) {
            // Released after the lock is: the last reference may be this one.
            _ = inForce.withLock { inForce -> KeyPathBinding? in
                guard inForce[binding.target] === binding else { return nil }
                return inForce.removeValue(forKey: binding.target)
            }
        }
    }
}

/// A user's object that is not to be kept alive.
@usableFromInline
struct WeakObject<Object: AnyObject & Sendable>: Sendable {
    @usableFromInline weak let object: Object?

    @usableFromInline
    init(_ object: Object) {
        self.object = object
    }

    /// The object's lifetime, if it exposes one.
    @usableFromInline var lifetime: Lifetime? { (object as? any LifetimeOwner)?.lifetime }
}

extension Signal {
    /// Subscribes an observer that exists for an object, until the object dies if the object exposes its lifetime.
    @usableFromInline
    func subscribe<Object: AnyObject & Sendable, Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream,
        for object: WeakObject<Object>
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        if let lifetime = object.lifetime {
            take(during: lifetime).subscribe(observer)
        } else {
            subscribe(observer)
        }
    }
}
