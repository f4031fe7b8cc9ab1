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
    private static var mostObjects = leastObjects
    private static let leastObjects = 64

    init(_ object: AnyObject, _ keyPath: AnyKeyPath) {
        self.object = object
        self.keyPath = keyPath
    }

    nonisolated func dispose() { subscription.dispose() }

    nonisolated var isDisposed: Bool { subscription.isDisposed }

    private var isOver: Bool { object == nil || isDisposed }

    /// Disposes of the binding that it takes the place of.
    static func replace(with binding: MainBinding) {
        if inForce.count >= mostObjects { forgetThoseThatAreOver() }
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
        mostObjects = max(leastObjects, 2 * inForce.count)
    }
}
