/// The values that a topic keeps for newcomers.
///
/// The delivering thread writes it; any thread reads it. Values are released outside the lock, because releasing a value may run the
/// program's code.
@usableFromInline
final class TopicMemory<Payload: Sendable>: Sendable {
    private let capacity: Int
    private let buffer: Lock<ReplayBuffer<Envelope<Payload>>>

    init(capacity: Int) {
        self.capacity = capacity
        buffer = Lock(ReplayBuffer(capacity: capacity))
    }

    /// Keeps a value; returns how many are kept.
    @usableFromInline
    func keep(_ envelope: Envelope<Payload>) -> Int {
        let (displaced, count) = buffer.withLock { buffer in (buffer.push(envelope), buffer.count) }
        withExtendedLifetime(displaced) {}
        return count
    }

    @usableFromInline
    func lose(_ count: Int) {
        buffer.withLock { $0.lose(count) }
    }

    /// A copy to replay from, which shares its storage with the memory until that changes.
    @usableFromInline
    var snapshot: ReplayBuffer<Envelope<Payload>> { buffer.withLock { $0 } }

    var values: [Envelope<Payload>] { snapshot.values }

    func clear() {
        let forgotten = buffer.withLock { buffer in
            let forgotten = buffer
            buffer = ReplayBuffer(capacity: capacity)
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }
}
