/// The signal of the envelopes of one topic.
@frozen
@usableFromInline
struct TopicEnvelopes<Payload: Sendable>: Signal {
    @usableFromInline typealias Value = Envelope<Payload>
    @usableFromInline typealias Failure = Never
    @usableFromInline let bus: NotificationBus
    @usableFromInline let topic: Topic<Payload>
    /// The number after which the subscriber wants to hear; nil for the kept values.
    @usableFromInline let start: UInt64?
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Never>
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt

    @inlinable
    init(
        bus: NotificationBus,
        topic: Topic<Payload>,
        after start: UInt64? = nil,
        limit: Int,
        overflow: Overflow<Never>,
        fileID: StaticString,
        line: UInt
    ) {
        self.bus = bus
        self.topic = topic
        self.start = start
        self.limit = limit
        self.overflow = overflow
        self.fileID = fileID
        self.line = line
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        let channel = bus.hub.use(topic)
        let listener = bus.hub.listener(to: topic.name)
        let queue = SubscriberQueue(ListeningObserver(observer, listener), limit: limit, overflow: overflow)
        listener.waits(in: queue.waiting)
        let account = queue.account(on: channel.status, fileID: fileID, line: line) { $0.uptime }
        queue.resources.add(ChannelUse(channel, readsTime: true, account))
        if let start {
            let known = channel.status.known(start)
            let slot = ObserverSlot(LaterObserver(QueueObserver(queue), after: known))
            queue.resources.add(channel.attach(envelopes: slot, account, after: known))
        } else {
            queue.resources.add(channel.attach(envelopes: ObserverSlot(QueueObserver(queue)), account))
        }
        return QueueHandle(queue)
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(topic)") }
}
