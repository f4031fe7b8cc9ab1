import Synchronization

/// One topic of a bus, as it was at one moment.
public struct TopicDescription: Sendable, Hashable {
    public let name: TopicName
    /// The name of the type of its values.
    public let valueType: String
    /// How many values were posted.
    public let posted: UInt64
    /// How many have subscribed to it by its name.
    public let subscribers: Int
    /// How many have subscribed to a pattern that matches it.
    public let patternSubscribers: Int
    /// How many values are kept for newcomers.
    public let kept: Int
    /// How many values were lost because too many were waiting while another was being delivered. Losses in a subscriber's
    /// own queue are not counted here, but reported to that subscriber.
    public let lost: Int

    init(_ channel: TopicChannel, patternSubscribers: Int) {
        let status = channel.status
        name = status.address.name
        valueType = "\(channel.valueType)"
        posted = status.posted.load(ordering: .relaxed)
        subscribers = status.subscribers.load(ordering: .relaxed)
        self.patternSubscribers = patternSubscribers
        kept = status.kept.load(ordering: .relaxed)
        lost = channel.lost
    }
}
