public import Bus

/// A topic that is carried between programs, or all topics that match a pattern. See `Topic.shared(_:)` and `TopicPattern.shared(_:as:)`.
public struct SharedTopic: Sendable, CustomStringConvertible {
    /// The topics that are carried; for a single topic, its name.
    public let pattern: TopicPattern
    /// Which way the values go, seen from this program.
    public let direction: LinkDirection
    let attach: @Sendable (LinkedBus) -> any LinkedTopics

    public var description: String { "\(pattern) (\(direction))" }
}

extension Topic where Value: Codable {
    /// The topic, to be carried between programs. Its values travel as JSON.
    ///
    /// All programs declare the topic alike: its name, and a type that decodes what the others encode.
    ///
    /// - Parameter direction: which way the values go.
    public func shared(_ direction: LinkDirection = .both) -> SharedTopic {
        let pattern = TopicPattern(name)
        return SharedTopic(pattern: pattern, direction: direction) { linked in
            JSONTopics(pattern, self, direction, on: linked) { linked.bus.envelopes(for: self).eraseToAnySignal() }
        }
    }
}

extension TopicPattern {
    /// All topics that match the pattern, to be carried between programs. Their values travel as JSON.
    ///
    /// ```swift
    /// import Bus
    /// import LinkBridge
    ///
    /// struct Alert: Codable, Sendable { var text: String }
    ///
    /// let bus = NotificationBus()
    /// let alerts: TopicPattern = "alert.>"
    /// let link = bus.link([alerts.shared(as: Alert.self)], over: try BusAddress("nats://hub:4222/plant"))
    /// bus.post(Alert(text: "the pump stands still"), to: Topic("alert.pump"))
    /// let subscription = bus.envelopes(matching: alerts, of: Alert.self).subscribe(next: { print($0.topic, $0.value.text) })
    /// ```
    ///
    /// Topics of the pattern that keep values, or have values of another type, are not carried; a value that comes for such a topic is
    /// reported as ``LinkNews/refused(topic:reason:)``. The link remembers the last number of each topic on which it has sent.
    ///
    /// - Parameters:
    ///   - direction: which way the values go.
    ///   - type: that of the values, which decodes what the other programs encode.
    public func shared<Value: Codable & Sendable>(
        _ direction: LinkDirection = .both,
        as type: Value.Type
    ) -> SharedTopic {
        SharedTopic(pattern: self, direction: direction) { linked in
            JSONTopics(self, nil, direction, on: linked) {
                // All topics share this queue. By default, each topic has one as large.
                linked.bus.envelopes(matching: self, of: Value.self, limit: 65_536).eraseToAnySignal()
            }
        }
    }
}
