/// Sends each value to every subscriber, and the last value to a new one.
@usableFromInline
package struct CurrentValueList<Value: Sendable, Failure: Error>: SubscriberList, ~Copyable {
    /// The value that the subscribers heard last. The subject's own is ahead of it while events wait.
    @usableFromInline var current: Value
    @usableFromInline var fanout = Fanout<Value, Failure>()

    @usableFromInline
    package init(_ value: Value) {
        current = value
    }

    @inlinable
    package mutating func next(_ value: Value) -> Demand {
        current = value
        return fanout.next(value)
    }

    @usableFromInline
    package mutating func lost(_ count: Int) {
        fanout.lost(count)
    }

    @usableFromInline
    package consuming func terminate(_ termination: Termination<Failure>) {
        fanout.terminate(termination)
    }

    @usableFromInline
    package var demand: Demand { fanout.demand }

    @usableFromInline
    package mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { fanout.whenReady(resume) }

    @usableFromInline
    package mutating func add(_ slot: SubscriberSlot<Value, Failure>) {
        slot.send(current)
        if slot.hasStopped {
            slot.terminate(.completed)
        } else {
            fanout.add(slot)
        }
    }

    @usableFromInline
    package mutating func remove(_ slot: SubscriberSlot<Value, Failure>) {
        fanout.remove(slot)
    }
}
