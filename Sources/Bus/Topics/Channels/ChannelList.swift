public import Synchronization

/// Numbers what is posted on a topic, keeps it for newcomers, and sends it to the subscribers.
///
/// Everything here happens in the topic's one order, one event at a time.
@usableFromInline
struct ChannelList<Payload: Sendable>: SubscriberList, ~Copyable {
    @usableFromInline typealias Value = Envelope<Payload>
    @usableFromInline typealias Failure = Never

    @usableFromInline let status: TopicStatus
    @usableFromInline let memory: TopicMemory<Payload>?
    @usableFromInline var sequence: UInt64 = 0
    /// Those who subscribed to this topic.
    @usableFromInline var fanout = Fanout<Envelope<Payload>, Never>()
    /// Those who subscribed to patterns that match this topic.
    @usableFromInline var patterns: [PatternSubscriber] = []
    /// The version of the bus's patterns that `patterns` was found in.
    @usableFromInline var version: UInt64 = 0
    /// The number of the newest pattern subscriber that this list has met.
    private var newest: UInt64 = 0
    /// Whether a pattern subscriber answered that it has no room, and has not been asked since to call back.
    private var patternHasPaused = false

    init(_ status: TopicStatus, _ memory: TopicMemory<Payload>?) {
        self.status = status
        self.memory = memory
    }

    @inlinable
    mutating func next(_ value: Envelope<Payload>) -> Demand {
        if status.hub.version.load(ordering: .acquiring) != version { lookPatternsUp() }
        sequence &+= 1
        status.posted.store(sequence, ordering: .relaxed)
        var envelope = Envelope(
            address: value.address,
            value: value.value,
            sequence: sequence,
            uptime: value.uptime,
            origin: value.origin
        )
        if memory != nil || !patterns.isEmpty { keepAndSendToPatterns(&envelope) }
        _ = fanout.next(envelope)
        // Some may have had enough.
        status.subscribers.store(fanout.count, ordering: .relaxed)
        return demand
    }

    /// What goes beyond the subscribers to the topic itself.
    @usableFromInline
    mutating func keepAndSendToPatterns(_ envelope: inout Envelope<Payload>) {
        if envelope.uptime == 0 {
            envelope = Envelope(
                address: envelope.address,
                value: envelope.value,
                sequence: envelope.sequence,
                uptime: status.now,
                origin: envelope.origin
            )
        }
        if let memory { status.kept.store(memory.keep(envelope), ordering: .releasing) }
        guard !patterns.isEmpty else { return }
        let erased = envelope.map { $0 as any Sendable }
        for subscriber in patterns where subscriber.send(erased) == .pause { patternHasPaused = true }
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        sequence &+= UInt64(count)
        status.posted.store(sequence, ordering: .relaxed)
        memory?.lose(count)
        if status.hub.version.load(ordering: .acquiring) != version { lookPatternsUp() }
        for subscriber in patterns { subscriber.lose(count) }
        fanout.lost(count)
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Never>) {
        fanout.terminate(termination)
    }

    @usableFromInline
    var demand: Demand { patternHasPaused ? .pause : fanout.demand }

    /// Calls back when every subscriber that has no room has some, or has left.
    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard patternHasPaused else { return fanout.whenReady(resume) }
        let call = LastCall(resume)
        patternHasPaused = false
        var isPaused = false
        let held: @Sendable () -> Void = { withExtendedLifetime(call) {} }
        for subscriber in patterns where subscriber.whenReady(held) == .pause { isPaused = true }
        if fanout.whenReady(held) == .pause { isPaused = true }
        if !isPaused { call.forgo() }
        return isPaused ? .pause : .more
    }

    @usableFromInline
    mutating func add(_ slot: SubscriberSlot<Envelope<Payload>, Never>) {
        memory?.snapshot.replay(to: slot)
        if slot.hasStopped {
            slot.terminate(.completed)
        } else {
            fanout.add(slot)
            status.subscribers.store(fanout.count, ordering: .relaxed)
        }
    }

    @usableFromInline
    mutating func remove(_ slot: SubscriberSlot<Envelope<Payload>, Never>) {
        fanout.remove(slot)
        status.subscribers.store(fanout.count, ordering: .relaxed)
    }

    /// Finds the pattern subscribers anew, and gives those that are new to this topic what is kept for them.
    ///
    /// Here and nowhere else a pattern subscriber begins to hear the topic, so that it hears each value once: what was posted
    /// before is kept, and what is posted later is sent.
    @usableFromInline
    mutating func lookPatternsUp() {
        let found = status.hub.patterns(matching: status.address.name)
        let known = newest
        (patterns, version, newest) = (found.subscribers, found.version, found.newest)
        guard let memory else { return }
        for subscriber in patterns where subscriber.number > known {
            memory.snapshot.replay(
                send: { subscriber.send($0.map { $0 as any Sendable }) },
                lose: subscriber.lose
            )
        }
    }

    /// Does for newcomers what the next value would do.
    mutating func meetNewcomers() {
        if status.hub.version.load(ordering: .acquiring) != version { lookPatternsUp() }
    }
}
