import Synchronization

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
