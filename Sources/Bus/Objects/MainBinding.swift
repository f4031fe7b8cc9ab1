/// A variable of an object on the main actor, bound to a signal.
@MainActor
final class MainBinding: Disposable {
    private weak var object: AnyObject?
    private let keyPath: AnyKeyPath
    nonisolated let subscription = SerialDisposable()

    /// The bindings in force, so that there is one for a variable.
    private static var inForce: [ObjectIdentifier: [MainBinding]] = [:]

    init(_ object: AnyObject, _ keyPath: AnyKeyPath) {
        self.object = object
        self.keyPath = keyPath
    }

    nonisolated func dispose() { subscription.dispose() }

    nonisolated var isDisposed: Bool { subscription.isDisposed }

    private var isOver: Bool { object == nil || isDisposed }

    /// Disposes of the binding that it takes the place of.
    static func replace(with binding: MainBinding) {
        forgetThoseThatAreOver()
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
    }
}
