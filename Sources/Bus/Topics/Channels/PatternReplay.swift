/// The subscribers to patterns that are still being sent what one topic keeps.
///
/// Touched only in the topic's one order; hence unchecked. After the end of the topic, their replays hold it.
@usableFromInline
final class PatternReaders: @unchecked Sendable {
    private var numbers: Set<UInt64> = [] {
        didSet { isEmpty = numbers.isEmpty }
    }
    // Read for every value.
    @exclusivity(unchecked) @usableFromInline private(set) var isEmpty = true
    private var calls: [LastCall] = []

    func contains(_ subscriber: PatternSubscriber) -> Bool { numbers.contains(subscriber.number) }

    func add(_ subscriber: PatternSubscriber) { numbers.insert(subscriber.number) }

    func remove(_ subscriber: PatternSubscriber) {
        if numbers.remove(subscriber.number) != nil { makeCalls() }
    }

    /// Forgets all but these: the others have left.
    func keep(_ subscribers: [PatternSubscriber]) {
        guard !numbers.isEmpty else { return }
        numbers.formIntersection(subscribers.map(\.number))
        makeCalls()
    }

    /// Holds a call until there are none of them.
    func hold(_ call: LastCall) {
        if !numbers.isEmpty { calls.append(call) }
    }

    private func makeCalls() {
        // Each call is made when its last holder releases it.
        if numbers.isEmpty { calls = [] }
    }
}

/// Sends a subscriber to a pattern what one topic keeps.
struct PatternReplay<Payload: Sendable>: Sendable {
    private let subscriber: PatternSubscriber
    private let reader: ReplayReader<Envelope<Payload>>
    private let memory: TopicMemory<Payload>
    private let readers: PatternReaders

    init(
        _ subscriber: PatternSubscriber,
        _ reader: ReplayReader<Envelope<Payload>>,
        _ memory: TopicMemory<Payload>,
        _ readers: PatternReaders
    ) {
        self.subscriber = subscriber
        self.reader = reader
        self.memory = memory
        self.readers = readers
    }

    /// Sends as much as there is room for, and goes on when there is more. Called in the topic's one order.
    ///
    /// - Returns: whether it waits for room.
    func advance(in core: SerialObserver<ChannelList<Payload>>) -> Bool {
        // Made, too, when the subscriber leaves: a poster may wait for it.
        let call = LastCall {
            core.perform { list, _ in
                // It is found again, if it has not left.
                if !advance(in: core) { list?.lookPatternsUpAgain() }
            }
        }
        let progress = reader.advance(through: memory.snapshot) { withExtendedLifetime(call) {} }
        guard progress == .waits else {
            call.forgo()
            readers.remove(subscriber)
            return false
        }
        readers.add(subscriber)
        return true
    }
}
