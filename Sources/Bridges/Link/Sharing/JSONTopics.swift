import Bus
import FoundationEssentials

/// Topics whose values are carried as JSON.
final class JSONTopics<Value: Codable & Sendable>: LinkedTopics {
    /// The topic, if it is one.
    private let topic: Topic<Value>?
    private let child: NotificationBus
    private let subscription: (any Disposable)?
    let arrivals = Subject<RemoteEnvelope<Value>, Never>()

    /// - Parameters:
    ///   - pattern: the topics that are shared.
    ///   - topic: the topic, if it is one.
    ///   - posted: what is posted here.
    init(
        _ pattern: TopicPattern,
        _ topic: Topic<Value>?,
        _ direction: LinkDirection,
        on linked: LinkedBus,
        _ posted: () -> AnySignal<Envelope<Value>, Never>
    ) {
        self.topic = topic
        child = linked.child
        subscription = direction.sends ? Self.listen(to: posted(), of: pattern, on: linked) : nil
    }

    private static func listen(
        to posted: AnySignal<Envelope<Value>, Never>,
        of pattern: TopicPattern,
        on linked: LinkedBus
    ) -> any Disposable {
        posted.subscribe(
            next: { [next = linked.next] envelope in
                guard !LinkScope.isOne(envelope.scope) else { return }
                let value = envelope.value
                let outgoing = OutgoingValue(uptime: envelope.uptimeNanoseconds, origin: envelope.origin) {
                    let encoder = JSONEncoder()
                    // One value has one text, so that texts can be compared.
                    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                    return Array(try encoder.encode(value))
                }
                next(envelope.topic, outgoing)
            },
            lost: { [lost = linked.lost] in lost(pattern, $0) }
        )
    }

    func post(_ message: LinkMessage, on name: TopicName) throws {
        let topic = topic ?? Topic(name)
        // What others send must not stop this program.
        guard self.topic != nil || child.takes(topic) else {
            throw LinkFlaw("values of \(name) keep values here, or are of another type than \(Value.self)")
        }
        let value = try JSONDecoder().decode(Value.self, from: Data(message.payload))
        arrivals.send(RemoteEnvelope(topic: name, value: value, message))
        child.post(value, to: topic)
    }

    func end() {
        subscription?.dispose()
        arrivals.complete()
    }
}

/// A text that is JSON, whatever is in it.
struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}

    static func isOne(_ text: [UInt8]) -> Bool {
        do {
            _ = try JSONDecoder().decode(AnyJSON.self, from: Data(text))
            return true
        } catch {
            // Why it is none is not asked for.
            return false
        }
    }
}
