/// The signal of the values of one topic.
@frozen
@usableFromInline
struct TopicValues<Payload: Sendable>: Signal {
    @usableFromInline typealias Value = Payload
    @usableFromInline typealias Failure = Never
    @usableFromInline let bus: NotificationBus
    @usableFromInline let topic: Topic<Payload>
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Never>
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt

    @inlinable
    init(
        bus: NotificationBus,
        topic: Topic<Payload>,
        limit: Int,
        overflow: Overflow<Never>,
        fileID: StaticString,
        line: UInt
    ) {
        self.bus = bus
        self.topic = topic
        self.limit = limit
        self.overflow = overflow
        self.fileID = fileID
        self.line = line
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Payload, Downstream.Failure == Never {
        let channel = bus.hub.use(topic)
        let listener = bus.hub.listener(to: topic.name)
        let queue = SubscriberQueue(ListeningObserver(observer, listener), limit: limit, overflow: overflow)
        listener.waits(in: queue.waiting)
        let account = queue.account(on: channel.status, fileID: fileID, line: line)
        queue.resources.add(ChannelUse(channel, readsTime: false, account))
        queue.resources.add(channel.attach(values: ObserverSlot(QueueObserver(queue)), account))
        return QueueHandle(queue)
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(topic)") }
}
