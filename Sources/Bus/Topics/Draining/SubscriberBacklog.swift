/// A subscriber of a bus that is not done, and what waits for it. See ``NotificationBus/backlog``.
public struct SubscriberBacklog: Sendable, Hashable {
    /// The pattern it subscribed to; the name of the topic, if it is one topic.
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
