import Synchronization

/// What is posted on one topic of a bus.
@usableFromInline
struct TopicSignal<Payload: Sendable>: Signal {
    @usableFromInline typealias Value = Envelope<Payload>
    @usableFromInline typealias Failure = Never
    @usableFromInline let bus: NotificationBus
    @usableFromInline let topic: Topic<Payload>
    /// The number behind which the subscriber wants to hear; nil for what is kept.
    @usableFromInline let start: UInt64?
    /// Whether the subscriber looks at the time of what is posted.
    @usableFromInline let readsTime: Bool
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Never>

    @usableFromInline
    init(
        bus: NotificationBus,
        topic: Topic<Payload>,
        after start: UInt64? = nil,
        readsTime: Bool = true,
        limit: Int,
        overflow: Overflow<Never>
    ) {
        self.bus = bus
        self.topic = topic
        self.start = start
        self.readsTime = readsTime
        self.limit = limit
        self.overflow = overflow
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        let channel = bus.hub.use(topic)
        let output = SerialObserver(observer, limit: limit, overflow: overflow)
        output.resources.add(ChannelUse(channel, readsTime: readsTime))
        let relay = RelayObserver(output, Sender(output))
        let subscription =
            if let start {
                channel.core.attach(LaterObserver(relay, after: channel.status.known(start)))
            } else {
                channel.core.attach(relay)
            }
        output.resources.add(subscription)
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(topic)") }
}

/// A subscription's share in a channel, which is given up when it is disposed of.
@usableFromInline
final class ChannelUse: Disposable {
    private let channel: TopicChannel
    private let readsTime: Bool
    private let isOver = Atomic<Bool>(false)

    /// The channel has counted the user already.
    @usableFromInline
    init(_ channel: TopicChannel, readsTime: Bool) {
        self.channel = channel
        self.readsTime = readsTime
        if readsTime { channel.status.readersOfTime.add(1, ordering: .relaxed) }
    }

    @usableFromInline
    func dispose() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if readsTime { channel.status.readersOfTime.subtract(1, ordering: .relaxed) }
        channel.status.hub.leave(channel)
    }

    @usableFromInline var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}
