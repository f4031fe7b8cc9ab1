/// Sends each event to every subscriber and keeps the last values for those who come later.
@usableFromInline
package struct ReplayList<Value: Sendable, Failure: Error>: SubscriberList, ~Copyable {
    /// The kept values. They are not part of the list, which is released at the end.
    @usableFromInline
    package final class Memory: @unchecked Sendable {
        // Touched only in the subject's order of delivery, one event at a time.
        @exclusivity(unchecked) @usableFromInline var buffer: ReplayBuffer<Value>

        @usableFromInline
        init(capacity: Int) {
            buffer = ReplayBuffer(capacity: capacity)
        }
    }

    @usableFromInline let memory: Memory
    @usableFromInline var fanout = Fanout<Value, Failure>()

    @usableFromInline
    package init(_ memory: Memory) {
        self.memory = memory
    }

    @inlinable
    package mutating func next(_ value: Value) -> Demand {
        memory.buffer.append(value)
        return fanout.next(value)
    }

    @usableFromInline
    package mutating func lost(_ count: Int) {
        memory.buffer.lose(count)
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
        memory.buffer.replay(to: slot)
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
