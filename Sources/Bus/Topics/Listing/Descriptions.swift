import Synchronization

/// One topic of a bus, as it was at one moment.
public struct TopicDescription: Sendable, Hashable {
    /// The name in full. A bus has one topic of a name.
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

/// One subscriber of a bus, as it was at one moment. See ``NotificationBus/subscribers``.
public struct SubscriberDescription: Sendable, Hashable {
    /// The topic's name, or the pattern.
    public let topic: String
    /// The scope of the bus that it subscribed on; see ``NotificationBus/child(named:)``.
    public let scope: String
    /// Where in the program the signal was made: the call of `signal(for:)`, `envelopes(for:)` or `envelopes(matching:)`.
    public let location: CodeLocation
    /// How many values wait for it.
    public let waiting: Int
    /// How many values may wait for it.
    public let limit: Int
    /// The most values that ever waited for it at a time.
    public let highWater: Int
    /// For how long it has had no room for a value. Nil when it has room.
    public let paused: Duration?
    /// The age of the oldest value that waits for it. Nil when none waits.
    ///
    /// For envelopes it is the time since the value was posted. Bare values carry no time: for them it is an upper bound. No
    /// waiting value is older, because each has come since a moment at which the subscriber paused. The bound advances each
    /// time the subscriber pauses after it has heard all that waited at such a moment.
    public let lag: Duration?
    /// How many values its queue has lost.
    public let lost: Int
    /// How many values it was sent, including those that a topic kept for it. While values are being posted, values on their
    /// way may be counted or not.
    public let delivered: Int
}

extension SubscriberDescription: CustomStringConvertible {
    public var description: String {
        let name = scope.isEmpty ? topic : "\(scope): \(topic)"
        return "\(name) (\(location)): \(waiting) of \(limit) wait, \(lost) lost"
    }
}
