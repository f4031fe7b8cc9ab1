extension Signal where Failure == Never {
    /// Sets a variable of an object on the main actor to each value, without keeping the object alive.
    ///
    /// ```
    /// self      --1---2---3---4--
    /// object    ------------x
    /// name      ---1---2---3
    /// ```
    ///
    /// It is for classes that are `@MainActor`, and for classes that are not `Sendable` and are used on the main
    /// actor. Call it on the main actor. A variable is bound to one signal: binding it to another ends the first
    /// binding.
    ///
    /// - Ends: with the source; when the object has died, with the next value.
    /// - Fails: never.
    /// - Cancelling: ends the binding; the variable keeps the last value. On the main actor nothing is set after it.
    /// - Buffers: at most `limit` values, and as many being delivered. Beyond that the oldest is left out, so that
    ///   the variable ends with the latest; it is counted in ``Subscriptions/unheardLosses``.
    /// - Thread: the variable is set on the main actor, never inside this call.
    ///
    /// - Parameters:
    ///   - keyPath: the variable.
    ///   - object: whose variable it is; not kept.
    ///   - limit: how many values may wait; at least one does.
    /// - Returns: the handle that ends the binding.
    @MainActor
    @discardableResult
    public func assignOnMain<Object: AnyObject>(
        to keyPath: ReferenceWritableKeyPath<Object, Value>,
        onWeak object: Object,
        limit: Int = 1024
    ) -> any Disposable {
        let binding = MainBinding(object, keyPath)
        MainBinding.replace(with: binding)
        let target = MainTarget(object, keyPath)
        binding.subscription.set(
            deliver(on: ActorScheduler(MainActor.shared), limit: limit, overflow: .dropOldest)
                .subscribe(MainAssigningObserver(target: target))
        )
        return binding
    }
}

/// The variable of an object that is used on the main actor.
@MainActor
final class MainTarget<Object: AnyObject, Value: Sendable> {
    private weak var object: Object?
    private let keyPath: ReferenceWritableKeyPath<Object, Value>

    init(_ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value>) {
        self.object = object
        self.keyPath = keyPath
    }

    /// Returns whether the object is alive.
    func set(_ value: Value) -> Bool {
        guard let object else { return false }
        object[keyPath: keyPath] = value
        return true
    }
}

/// Called only on the main actor, by its scheduler.
struct MainAssigningObserver<Object: AnyObject, Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    let target: MainTarget<Object, Value>

    mutating func next(_ value: Value) -> Demand {
        let target = target
        return MainActor.assumeIsolated { target.set(value) } ? .more : .stop
    }

    mutating func lost(_ count: Int) { Subscriptions.countUnheardLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) {}

    var demand: Demand { .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }
}

/// A variable of an object on the main actor, bound to a signal.
///
/// The key path of such a variable is not `Sendable`, so these bindings are kept on the main actor and not among those of
/// ``KeyPathBinding``.
@MainActor
final class MainBinding: Disposable {
    private weak var object: AnyObject?
    private let keyPath: AnyKeyPath
    nonisolated let subscription = SerialDisposable()

    /// The bindings in force, so that there is one for a variable.
    private static var inForce: [ObjectIdentifier: [MainBinding]] = [:]
    /// With so many objects, the bindings that are over are looked for. Doubling it keeps the cost of a binding
    /// constant.
    private static var maxObjects = minObjects
    private static let minObjects = 64

    init(_ object: AnyObject, _ keyPath: AnyKeyPath) {
        self.object = object
        self.keyPath = keyPath
    }

    nonisolated func dispose() { subscription.dispose() }

    nonisolated var isDisposed: Bool { subscription.isDisposed }

    private var isOver: Bool { object == nil || isDisposed }

    /// Disposes of the binding that it takes the place of.
    static func replace(with binding: MainBinding) {
        if inForce.count >= maxObjects { forgetThoseThatAreOver() }
        guard let object = binding.object else { return }
        var bindings = inForce[ObjectIdentifier(object)] ?? []
        let replaced = bindings.filter { $0.keyPath == binding.keyPath }
        bindings.removeAll { $0.keyPath == binding.keyPath }
        inForce[ObjectIdentifier(object)] = bindings + [binding]
        for other in replaced { other.dispose() }
    }

    private static func forgetThoseThatAreOver() {
        for (object, bindings) in inForce where bindings.contains(where: \.isOver) {
            let left = bindings.filter { !$0.isOver }
            inForce[object] = left.isEmpty ? nil : left
        }
        maxObjects = max(minObjects, 2 * inForce.count)
    }
}
