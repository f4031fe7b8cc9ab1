/// What is posted on the topics of a bus that match a pattern.
@usableFromInline
struct PatternSignal: Signal {
    @usableFromInline typealias Value = Envelope<any Sendable>
    @usableFromInline typealias Failure = Never
    let bus: NotificationBus
    let pattern: TopicPattern
    let limit: Int
    let overflow: Overflow<Never>

    @usableFromInline
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        let output = SerialObserver(observer, limit: limit, overflow: overflow)
        let hub = bus.hub
        guard let subscriber = hub.add({ PatternSubscriber(output, pattern: pattern, number: $0) }) else {
            output.terminate(.completed)
            return output.handle
        }
        let number = subscriber.number
        output.resources.add(ActionDisposable { [pattern] in hub.removeSubscriber(number, of: pattern) })
        hub.replay(to: subscriber)
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(source: "bus \(pattern)") }
}
