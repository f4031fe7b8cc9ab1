public import Synchronization

/// The values that a topic keeps for newcomers.
///
/// The delivering thread writes it; any thread reads it. Values are released outside the lock, because releasing a value may run the
/// program's code.
@usableFromInline
final class TopicMemory<Payload: Sendable>: Sendable {
    private let status: TopicStatus
    private let buffer: Lock<ReplayBuffer<Envelope<Payload>>>

    init(_ status: TopicStatus) {
        self.status = status
        buffer = Lock(ReplayBuffer(capacity: status.retention.count))
    }

    /// Keeps a value.
    @usableFromInline
    func keep(_ envelope: Envelope<Payload>) {
        let displaced = buffer.withLock { buffer in
            let displaced = buffer.push(envelope)
            // Under the lock: a value that is kept or forgotten meanwhile must not be counted before this one.
            status.kept.store(buffer.count, ordering: .releasing)
            return displaced
        }
        withExtendedLifetime(displaced) {}
    }

    @usableFromInline
    func lose(_ count: Int) {
        buffer.withLock { $0.lose(count) }
    }

    /// A copy to replay from, which shares its storage with the memory until that changes.
    @usableFromInline
    var snapshot: ReplayBuffer<Envelope<Payload>> { buffer.withLock { $0 } }

    var values: [Envelope<Payload>] { buffer.withLock { $0.values } }

    func clear() {
        let forgotten = buffer.withLock { buffer in
            let forgotten = buffer
            buffer.forget()
            status.kept.store(0, ordering: .releasing)
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }
}

/// The state of one topic that does not depend on the type of its values.
@usableFromInline
final class TopicStatus: Sendable {
    @usableFromInline let address: TopicAddress
    @usableFromInline let retention: TopicRetention
    // The hub releases its channels when the bus is dropped, which ends this cycle.
    @usableFromInline let hub: BusHub

    /// Posters, subscriptions, and posts that have looked the channel up. A channel without any, and without kept values, may
    /// be forgotten. Counted up only under the hub's lock, so that none is added while the hub forgets the channel.
    let users = Atomic<Int>(0)
    /// How many subscribers look at the time of a posting.
    @usableFromInline let readersOfTime = Atomic<Int>(0)
    /// The number of the value that was posted last.
    @usableFromInline let posted = Atomic<UInt64>(0)
    /// How many numbers belong to values that were lost before they could be sent.
    let missing = Atomic<UInt64>(0)
    /// How many have subscribed to the topic by its name.
    let subscribers = Atomic<Int>(0)
    /// How many values are kept. ``TopicMemory`` changes it under its lock.
    let kept = Atomic<Int>(0)

    init(_ address: TopicAddress, keeping retention: TopicRetention, on hub: BusHub) {
        self.address = address
        self.retention = retention
        self.hub = hub
    }

    /// Whether the poster of a value reads the clock.
    @inlinable var wantsTime: Bool { readersOfTime.load(ordering: .relaxed) > 0 }

    @usableFromInline var now: Int64 { MonotonicTime.nanoseconds }

    /// How many values were sent to the subscribers.
    var sent: Int { Int(clamping: posted.load(ordering: .relaxed) &- missing.load(ordering: .relaxed)) }

    /// Whether nothing would be lost if the channel were forgotten. Asked under the hub's lock.
    var isUnused: Bool { users.load(ordering: .acquiring) == 0 && kept.load(ordering: .acquiring) == 0 }

    /// A number that a subscriber remembers from this topic; 0 where the topic has begun to count anew since then.
    @usableFromInline
    func known(_ sequence: UInt64) -> UInt64 {
        sequence > posted.load(ordering: .acquiring) ? 0 : sequence
    }
}
