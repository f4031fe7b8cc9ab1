public import Synchronization

/// Sends each event to every subscriber, in the order they subscribed.
@usableFromInline
struct Fanout<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    @usableFromInline var slots: ContiguousArray<SubscriberSlot<Value, Failure>> = []

    @usableFromInline
    init() {}

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        var stopped = false
        for index in slots.indices {
            let slot = slots[index]
            guard slot.token.isOpen.load(ordering: .acquiring) else { continue }
            if slot.observer?.next(value) == .stop {
                slot.hasStopped = true
                stopped = true
            }
        }
        if stopped { terminateStopped() }
        return .more
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        for slot in slots where slot.token.isOpen.load(ordering: .acquiring) { slot.observer?.lost(count) }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        for slot in slots { slot.terminate(termination) }
    }

    @usableFromInline
    var demand: Demand { .more }

    @usableFromInline
    mutating func add(_ slot: SubscriberSlot<Value, Failure>) {
        slots.append(slot)
    }

    /// Lets go of a subscriber that was disposed of.
    @usableFromInline
    mutating func remove(_ token: SubscriptionToken) {
        guard let index = slots.firstIndex(where: { $0.token === token }) else { return }
        // Not terminated: a disposed subscriber hears nothing.
        slots[index].observer = nil
        slots.remove(at: index)
    }

    /// Ends the subscribers that answered stop. They are out of the list before they hear it.
    @usableFromInline
    mutating func terminateStopped() {
        var stopped: [SubscriberSlot<Value, Failure>] = []
        slots.removeAll { slot in
            if slot.hasStopped { stopped.append(slot) }
            return slot.hasStopped
        }
        for slot in stopped { slot.terminate(.completed) }
    }
}
