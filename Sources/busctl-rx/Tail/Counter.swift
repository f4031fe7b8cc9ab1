import Synchronization

/// A number that one thread raises and others look at.
final class Counter: Sendable {
    private let count = Atomic(0)

    var isZero: Bool { count.load(ordering: .relaxed) == 0 }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }
}
