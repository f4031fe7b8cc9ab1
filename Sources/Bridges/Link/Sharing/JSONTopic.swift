import Bus
import FoundationEssentials

/// A topic whose values are carried as JSON.
final class JSONTopic<Value: Codable & Sendable>: LinkedTopic {
    private let name: TopicName
    private let poster: TopicPoster<Value>?
    private let subscription: (any Disposable)?
    let arrivals = Subject<RemoteEnvelope<Value>, Never>()

    init(_ topic: Topic<Value>, _ direction: LinkDirection, on bus: LinkedBus) {
        name = topic.name
        poster = direction.hears ? bus.child.poster(for: topic) : nil
        subscription = direction.sends ? Self.listen(to: topic, on: bus) : nil
    }

    private static func listen(to topic: Topic<Value>, on linked: LinkedBus) -> any Disposable {
        linked.bus.envelopes(for: topic).subscribe(
            next: { [next = linked.next] envelope in
                guard !LinkScope.isOne(envelope.scope) else { return }
                let value = envelope.value
                let outgoing = OutgoingValue(uptime: envelope.uptimeNanoseconds, origin: envelope.origin) {
                    let encoder = JSONEncoder()
                    // One value has one text, so that texts can be compared.
                    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                    return Array(try encoder.encode(value))
                }
                next(topic.name, outgoing)
            },
            completed: linked.closed
        )
    }

    func post(_ message: LinkMessage) throws {
        guard let poster else { return }
        let value = try JSONDecoder().decode(Value.self, from: Data(message.payload))
        arrivals.send(RemoteEnvelope(topic: name, value: value, message))
        poster.post(value)
    }

    var isClosed: Bool { poster?.demand == .stop }

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
