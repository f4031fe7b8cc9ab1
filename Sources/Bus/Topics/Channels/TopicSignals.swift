import Synchronization

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
        let account = queue.account(on: channel.status, fileID: fileID, line: line) { $0.uptimeNanoseconds }
        queue.resources.add(ChannelUse(channel, readsTime: true, account))
        if let start {
            let known = channel.status.known(start)
            let slot = ObserverSlot(LaterObserver(QueueObserver(queue), after: known, of: channel.status))
            queue.resources.add(channel.attach(envelopes: slot, account, after: known))
        } else {
            queue.resources.add(channel.attach(envelopes: ObserverSlot(QueueObserver(queue)), account))
        }
        return QueueHandle(queue)
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(topic)") }
}

/// Passes on the values after a number, and reports how many values between that number and the first, or the end, are
/// missing.
///
/// It stands in front of the subscriber's queue, so that losses of the queue are not counted twice.
@usableFromInline
struct LaterObserver<Downstream: Observer & ~Copyable, Payload: Sendable>: Observer, ~Copyable
where Downstream.Value == Envelope<Payload>, Downstream.Failure == Never {
    @usableFromInline typealias Value = Envelope<Payload>
    @usableFromInline typealias Failure = Never
    private var downstream: Downstream
    private let start: UInt64
    private let status: TopicStatus
    private var hasBegun = false

    @usableFromInline
    init(_ downstream: consuming Downstream, after start: UInt64, of status: TopicStatus) {
        self.downstream = downstream
        self.start = start
        self.status = status
    }

    @usableFromInline
    mutating func next(_ value: Envelope<Payload>) -> Demand {
        guard value.sequence > start else { return downstream.demand }
        if !hasBegun {
            hasBegun = true
            let missing = value.sequence - start - 1
            if missing > 0 { downstream.lost(Int(clamping: missing)) }
        }
        return downstream.next(value)
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        // Before the first value, the difference of the numbers gives the loss.
        if hasBegun { downstream.lost(count) }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Never>) {
        let posted = status.posted.load(ordering: .acquiring)
        if !hasBegun, posted > start, downstream.demand != .stop { downstream.lost(Int(clamping: posted - start)) }
        downstream.terminate(termination)
    }

    @usableFromInline
    var demand: Demand { downstream.demand }

    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
