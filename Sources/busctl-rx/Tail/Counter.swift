import Synchronization

/// A number that one thread raises and others look at.
final class Counter: Sendable {
    private let value = Atomic(0)

    var isZero: Bool { count == 0 }

    var count: Int { value.load(ordering: .relaxed) }

    func increment() { add(1) }

    func add(_ count: Int) { value.wrappingAdd(count, ordering: .relaxed) }
}
