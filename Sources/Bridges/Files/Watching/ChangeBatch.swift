import Synchronization

/// Changes that were read together, on their way to one subscription: a batch crosses threads at the price of one.
@usableFromInline
struct ChangeBatch: Sendable {
    @usableFromInline let changes: [RawChange]
    private let capacity: ChangeCapacity

    init(_ changes: [RawChange], in capacity: ChangeCapacity) {
        self.changes = changes
        self.capacity = capacity
    }

    /// It does not wait any more: its capacity is free again.
    @usableFromInline
    func leave() { capacity.leave(changes.count) }
}

/// How many changes may wait, however they are batched.
final class ChangeCapacity: Sendable {
    private let limit: Int
    private let waiting = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Admits as many as there is free capacity for. Called by one thread, so that it does not shrink before they come.
    func enter(_ count: Int) -> Int {
        let admitted = min(count, max(0, limit - waiting.load(ordering: .relaxed)))
        waiting.add(admitted, ordering: .relaxed)
        return admitted
    }

    func leave(_ count: Int) { waiting.subtract(count, ordering: .relaxed) }
}
