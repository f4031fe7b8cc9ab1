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
