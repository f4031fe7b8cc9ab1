public import Bus

/// A topic that is carried between programs. See `Topic.shared(_:)`.
public struct SharedTopic: Sendable, CustomStringConvertible {
    public let name: TopicName
    public let direction: LinkDirection
    let attach: @Sendable (LinkedBus) -> any LinkedTopic

    public var description: String { "\(name) (\(direction))" }
}

extension Topic where Value: Codable {
    /// The topic, to be carried between programs. Its values travel as JSON.
    ///
    /// All programs declare the topic alike: its name, and a type that decodes what the others encode.
    ///
    /// - Parameter direction: which way the values go.
    public func shared(_ direction: LinkDirection = .both) -> SharedTopic {
        SharedTopic(name: name, direction: direction) { bus in
            JSONTopic(self, direction, on: bus)
        }
    }
}
