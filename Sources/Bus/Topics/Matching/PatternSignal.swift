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
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt

    @inlinable
    init(
        bus: NotificationBus,
        pattern: TopicPattern,
        limit: Int,
        overflow: Overflow<Never>,
        fileID: StaticString,
        line: UInt
    ) {
        self.bus = bus
        self.pattern = pattern
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
        let meter = PatternMeter()
        let hub = bus.hub
        let listener = hub.listener(to: pattern)
        let output = SerialObserver(
            PatternObserver(ListeningObserver(observer, listener), meter),
            limit: limit,
            overflow: overflow
        )
        listener.waits(in: output.waiting)
        guard let subscriber = hub.add({ PatternSubscriber(output, pattern: pattern, number: $0) }) else {
            output.terminate(.completed)
            return output.handle
        }
        let account = output.account(of: pattern, on: hub, meter, fileID: fileID, line: line)
        output.resources.add(hub.removal(of: subscriber, account))
        hub.replay(to: subscriber)
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(pattern)") }
}
