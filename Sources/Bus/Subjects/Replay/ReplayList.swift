/// Sends each event to every subscriber and keeps the last values for those who come later.
@usableFromInline
package struct ReplayList<Value: Sendable, Failure: Error>: ReplayingList, ~Copyable {
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
    @usableFromInline let readers: ReplayReaders? = ReplayReaders()

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
        readers?.leaveList()
        fanout.terminate(termination)
    }

    @inlinable
    package var demand: Demand { readers?.isEmpty == false ? .pause : fanout.demand }

    /// Calls back when every subscriber that has no room has some, or has left.
    @usableFromInline
    package mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard let readers, !readers.isEmpty else { return fanout.whenReady(resume) }
        let call = LastCall(resume)
        readers.hold(call)
        _ = fanout.whenReady { withExtendedLifetime(call) {} }
        return .pause
    }

    @usableFromInline
    package mutating func add(_ slot: SubscriberSlot<Value, Failure>) {
        fanout.add(slot)
    }

    @usableFromInline
    package mutating func remove(_ slot: SubscriberSlot<Value, Failure>) {
        readers?.remove(slot)
        fanout.remove(slot)
    }
}
