public import Synchronization

/// A value on its way to the subscribers of a topic.
@frozen
@usableFromInline
struct Posting<Payload: Sendable>: Sendable {
    @usableFromInline let value: Payload
    @usableFromInline let origin: CodeLocation
    /// When it was posted; 0 where nobody needs the time.
    @usableFromInline let uptime: Int64
    /// The place where it was posted, if that was on a child.
    @usableFromInline let address: TopicAddress?

    @inlinable
    init(_ value: Payload, _ origin: CodeLocation, uptime: Int64, address: TopicAddress?) {
        self.value = value
        self.origin = origin
        self.uptime = uptime
        self.address = address
    }
}

/// Numbers the values that are posted on a topic, keeps them for newcomers, and sends them to the subscribers.
///
/// Everything here happens in the topic's one order, one event at a time.
@usableFromInline
struct ChannelList<Payload: Sendable>: ReplayingList, ~Copyable {
    @usableFromInline typealias Value = Posting<Payload>
    @usableFromInline typealias Heard = Payload
    @usableFromInline typealias Failure = Never

    @usableFromInline let status: TopicStatus
    @usableFromInline let memory: TopicMemory<Payload>?
    /// The same topic on the bus around, which hears everything in this topic's order.
    @usableFromInline let parent: TypedChannel<Payload>?
    @usableFromInline var sequence: UInt64 = 0
    /// The subscribers to the values of this topic.
    @usableFromInline var values = Fanout<Payload, Never>()
    /// The subscribers to its envelopes.
    @usableFromInline var envelopes = Fanout<Envelope<Payload>, Never>()
    /// The subscribers to patterns that match this topic.
    @usableFromInline var patterns: [PatternSubscriber] = []
    /// Whether there is any receiver of a value besides those of `values`.
    @usableFromInline var needsEnvelopes: Bool
    /// The version of the bus's patterns that `patterns` was found in.
    @usableFromInline var version: UInt64 = 0
    /// The number of the newest pattern subscriber that this list has met.
    private var newest: UInt64 = 0
    /// The subscribers to values or envelopes that are still being sent kept values. A topic that keeps none has none:
    /// each object more is a line of the cache for each of many topics.
    @usableFromInline let readers: ReplayReaders?
    /// Such subscribers to patterns. They are not among `patterns`.
    @usableFromInline let patternReaders: PatternReaders?
    /// The object around this list, which owns it; so it lasts as long as the list.
    unowned(unsafe) var core: SerialObserver<ChannelList>?
    /// Resumes the posters that wait for a bus around, when this list is released: the bus has ended or was dropped.
    var waitingAround: ScopedDisposable?
    /// Whether a pattern subscriber answered that it has no room, and has not been asked since to call back.
    @usableFromInline var patternHasPaused = false

    init(_ status: TopicStatus, _ memory: TopicMemory<Payload>?, _ parent: TypedChannel<Payload>?) {
        self.status = status
        self.memory = memory
        self.parent = parent
        needsEnvelopes = memory != nil
        readers = memory == nil ? nil : ReplayReaders()
        patternReaders = memory == nil ? nil : PatternReaders()
    }

    @inlinable
    mutating func next(_ posting: Posting<Payload>) -> Demand {
        next(posting.value, posting.origin, posting.uptime, posting.address)
    }

    /// Does the same as ``next(_:)``, with the parts of a posting.
    @inlinable
    mutating func next(_ value: Payload, _ origin: CodeLocation, _ uptime: Int64, _ address: TopicAddress?) -> Demand {
        if status.hub.version.load(ordering: .acquiring) != version { lookPatternsUp() }
        sequence &+= 1
        status.posted.store(sequence, ordering: .relaxed)
        var demand = values.next(value)
        if needsEnvelopes { demand = sendEnvelope(value, origin, uptime, address) }
        if let parent { parent.forward(value, origin, uptime, from: address ?? status.address) }
        return demand
    }

    /// Keeps a value, and sends it to the subscribers that hear more than values.
    @inlinable
    mutating func sendEnvelope(
        _ value: Payload,
        _ origin: CodeLocation,
        _ uptime: Int64,
        _ address: TopicAddress?
    ) -> Demand {
        let envelope = Envelope(
            address: address ?? status.address,
            value: value,
            sequence: sequence,
            uptimeNanoseconds: uptime == 0 ? status.now : uptime,
            origin: origin
        )
        memory?.keep(envelope)
        _ = envelopes.next(envelope)
        if !patterns.isEmpty {
            let erased = Envelope<any Sendable>(
                address: envelope.address,
                value: envelope.value,
                sequence: sequence,
                uptimeNanoseconds: envelope.uptimeNanoseconds,
                origin: envelope.origin
            )
            for subscriber in patterns where subscriber.send(erased) == .pause { patternHasPaused = true }
        }
        return demand
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        meetNewcomers()
        sequence &+= UInt64(count)
        status.missing.add(UInt64(count), ordering: .relaxed)
        status.posted.store(sequence, ordering: .relaxed)
        memory?.lose(count)
        values.lost(count)
        envelopes.lost(count)
        for subscriber in patterns { subscriber.lose(count) }
        parent?.lose(count)
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Never>) {
        readers?.leaveList()
        values.terminate(termination)
        envelopes.terminate(termination)
    }

    @inlinable
    var demand: Demand {
        patternHasPaused || values.demand == .pause || envelopes.demand == .pause || readers?.isEmpty == false
            || patternReaders?.isEmpty == false
            ? .pause : .more
    }

    /// Calls back when every subscriber that has no room has some, or has left.
    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let call = LastCall(resume)
        let held: @Sendable () -> Void = { withExtendedLifetime(call) {} }
        var isPaused = false
        if let readers, !readers.isEmpty {
            readers.hold(call)
            isPaused = true
        }
        if let patternReaders, !patternReaders.isEmpty {
            patternReaders.hold(call)
            isPaused = true
        }
        if values.demand == .pause, values.whenReady(held) == .pause { isPaused = true }
        if envelopes.demand == .pause, envelopes.whenReady(held) == .pause { isPaused = true }
        if patternHasPaused {
            patternHasPaused = false
            for subscriber in patterns where subscriber.whenReady(held) == .pause { isPaused = true }
        }
        if !isPaused { call.forgo() }
        return isPaused ? .pause : .more
    }

    // MARK: Subscribers

    @usableFromInline
    mutating func add(_ slot: SubscriberSlot<Payload, Never>) {
        values.add(slot)
    }

    @usableFromInline
    mutating func remove(_ slot: SubscriberSlot<Payload, Never>) {
        readers?.remove(slot)
        values.remove(slot)
    }

    mutating func add(_ slot: SubscriberSlot<Envelope<Payload>, Never>) {
        envelopes.add(slot)
        notice()
    }

    mutating func remove(_ slot: SubscriberSlot<Envelope<Payload>, Never>) {
        readers?.remove(slot)
        envelopes.remove(slot)
        notice()
    }

    private mutating func notice() {
        needsEnvelopes = memory != nil || !patterns.isEmpty || envelopes.count > 0
    }

    /// Finds the pattern subscribers anew with the next value.
    mutating func lookPatternsUpAgain() {
        version = status.hub.version.load(ordering: .acquiring) &- 1
    }

    /// Does for newcomers what the next value would do.
    mutating func meetNewcomers() {
        if status.hub.version.load(ordering: .acquiring) != version { lookPatternsUp() }
    }

    /// Finds the pattern subscribers anew, and sends the kept values to those that are new to this topic.
    ///
    /// A pattern subscriber begins to hear the topic only here, so that it hears each value once: values posted before are
    /// kept, and later ones are sent.
    @usableFromInline
    mutating func lookPatternsUp() {
        let found = status.hub.patterns(matching: status.address.name)
        let known = newest
        (version, newest) = (found.version, found.newest)
        patterns = found.subscribers
        if let patternReaders {
            patternReaders.keep(found.subscribers)
            patterns.removeAll { patternReaders.contains($0) }
        }
        notice()
        guard let memory, let patternReaders, let core else { return }
        for subscriber in patterns where subscriber.number > known {
            let reader = ReplayReader<Envelope<Payload>>(
                send: { subscriber.send($0.map { $0 as any Sendable }) },
                lose: subscriber.lose,
                whenReady: subscriber.whenReady
            )
            let replay = PatternReplay(subscriber, reader, memory, patternReaders)
            if replay.advance(in: core) { patterns.removeAll { $0 === subscriber } }
        }
    }
}

/// A subscription's share in a channel and its place in the list of the bus, which are given up when it is disposed of.
@usableFromInline
final class ChannelUse: Disposable {
    private let channel: TopicChannel
    private let readsTime: Bool
    private let number: UInt64
    private let isOver = Atomic<Bool>(false)

    /// The channel has counted the user already.
    @usableFromInline
    init(_ channel: TopicChannel, readsTime: Bool, _ account: SubscriberAccount) {
        self.channel = channel
        self.readsTime = readsTime
        number = channel.status.hub.registry.add(account)
        channel.status.subscribers.add(1, ordering: .relaxed)
        if readsTime { channel.status.readersOfTime.add(1, ordering: .relaxed) }
    }

    @usableFromInline
    func dispose() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        channel.status.subscribers.subtract(1, ordering: .relaxed)
        if readsTime { channel.status.readersOfTime.subtract(1, ordering: .relaxed) }
        channel.status.hub.registry.remove(number)
        channel.status.hub.leave(channel)
    }

    @usableFromInline var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}
