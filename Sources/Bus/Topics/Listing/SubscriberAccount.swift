import Synchronization

/// The entry of one subscriber in the list of a bus.
///
/// It holds neither the subscriber nor its queue, but only the part of the queue that the queue's lock guards. It is read
/// when somebody asks, so a subscriber that has room pays nothing for it.
@usableFromInline
final class SubscriberAccount: Sendable {
    enum Target: Sendable {
        case topic(TopicStatus)
        case pattern(TopicPattern)
    }

    private let target: Target
    private let scope: String
    private let fileID: StaticString
    private let line: UInt
    private let limit: Int
    private let read: @Sendable () -> QueueReading
    /// How many values the topic had sent before the subscriber joined it, less those replayed to the subscriber.
    private let start = Atomic<Int>(.max)

    init(
        _ target: Target,
        scope: String,
        fileID: StaticString,
        line: UInt,
        limit: Int,
        _ read: @escaping @Sendable () -> QueueReading
    ) {
        self.target = target
        self.scope = scope
        self.fileID = fileID
        self.line = line
        self.limit = limit
        self.read = read
    }

    /// The subscriber joins its topic, in its turn among the values.
    ///
    /// - Parameter replayed: how many kept values it is sent first.
    func begin(_ status: TopicStatus, replayed: Int) {
        start.store(status.sent - replayed, ordering: .relaxed)
    }

    func description(at now: Int64) -> SubscriberDescription {
        let reading = read()
        return SubscriberDescription(
            topic: topic,
            scope: scope,
            location: Chain.Location(fileID: "\(fileID)", line: line),
            waiting: reading.waiting,
            limit: limit,
            highWater: reading.highWater,
            paused: reading.pausedAt.map { .nanoseconds(max(0, now - $0)) },
            lag: reading.oldest.map { .nanoseconds(max(0, now - $0)) },
            lost: reading.lost,
            delivered: reading.delivered ?? delivered(reading)
        )
    }

    private var topic: String {
        switch target {
        case .topic(let status): status.address.name.text
        case .pattern(let pattern): pattern.description
        }
    }

    /// Of the values that the topic has sent since the subscriber joined it, those that have reached the subscriber; the
    /// others wait or were lost.
    private func delivered(_ reading: QueueReading) -> Int {
        let start = start.load(ordering: .relaxed)
        guard case .topic(let status) = target, start != .max else { return 0 }
        return max(0, status.sent - start - reading.waiting - reading.lost)
    }
}
