/// The signal of the envelopes of all topics that match a pattern.
@frozen
@usableFromInline
struct PatternSignal: Signal {
    @usableFromInline typealias Value = Envelope<any Sendable>
    @usableFromInline typealias Failure = Never
    @usableFromInline let bus: NotificationBus
    @usableFromInline let pattern: TopicPattern
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Never>

    @inlinable
    init(bus: NotificationBus, pattern: TopicPattern, limit: Int, overflow: Overflow<Never>) {
        self.bus = bus
        self.pattern = pattern
        self.limit = limit
        self.overflow = overflow
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        let hub = bus.hub
        let listener = hub.listener(to: pattern)
        let output = SerialObserver(ListeningObserver(observer, listener), limit: limit, overflow: overflow)
        listener.waits(in: output.waiting)
        guard let subscriber = hub.add({ PatternSubscriber(output, pattern: pattern, number: $0) }) else {
            output.terminate(.completed)
            return output.handle
        }
        output.resources.add(hub.removal(of: subscriber))
        hub.replay(to: subscriber)
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(pattern)") }
}
