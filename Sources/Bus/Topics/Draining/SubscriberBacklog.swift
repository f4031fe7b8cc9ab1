/// A subscriber of a bus that is not done, and the number of values that wait for it. See ``NotificationBus/backlog``.
public struct SubscriberBacklog: Sendable, Hashable {
    /// The pattern that it subscribed to. For a single topic, the name of the topic.
    public let pattern: TopicPattern
    /// How many values wait for it.
    public let waiting: Int

    public init(pattern: TopicPattern, waiting: Int) {
        self.pattern = pattern
        self.waiting = waiting
    }
}

extension SubscriberBacklog: CustomStringConvertible {
    public var description: String { "\(pattern) (\(waiting) waiting)" }
}
