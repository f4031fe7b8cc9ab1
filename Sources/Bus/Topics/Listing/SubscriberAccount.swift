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
            location: CodeLocation(fileID: fileID, line: line),
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

/// The subscribers of one bus, without those of its children, in the order in which they came.
final class SubscriberRegistry: Sendable {
    private let state = Lock((accounts: [UInt64: SubscriberAccount](), next: UInt64(1)))

    /// Lists a subscriber; returns the number that removes it from the list.
    func add(_ account: SubscriberAccount) -> UInt64 {
        state.withLock { state in
            defer { state.next += 1 }
            state.accounts[state.next] = account
            return state.next
        }
    }

    func remove(_ number: UInt64) {
        let removed = state.withLock { $0.accounts.removeValue(forKey: number) }
        // Released here, not under the lock: it may hold the last reference to values that waited.
        withExtendedLifetime(removed) {}
    }

    func removeAll() {
        let removed = state.withLock { state in
            defer { state.accounts = [:] }
            return state.accounts
        }
        withExtendedLifetime(removed) {}
    }

    var accounts: [SubscriberAccount] {
        // An array of its own, because the dictionary is changed in place.
        state.withLock { Array($0.accounts) }.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The state of a subscriber's queue at one moment. Times are in nanoseconds of `CLOCK_MONOTONIC`.
struct QueueReading {
    let waiting: Int
    let highWater: Int
    let lost: Int
    /// The time since which the subscriber has had no room; nil when it has room.
    let pausedAt: Int64?
    /// No waiting value is older; nil when none waits.
    let oldest: Int64?
    /// How many values the subscriber was sent; nil where the queue does not count them.
    let delivered: Int?
}

/// The smallest of many elements. It sorts no more than twice as many as are wanted at a time.
struct Smallest<Element> {
    private let count: Int
    private let isBefore: (Element, Element) -> Bool
    private var elements: [Element] = []
    /// The largest that is kept, once there are as many as are wanted.
    private var largest: Element?

    init(_ count: Int, by isBefore: @escaping (Element, Element) -> Bool) {
        self.count = max(1, count)
        self.isBefore = isBefore
    }

    mutating func add(_ element: Element) {
        if let largest, !isBefore(element, largest) { return }
        elements.append(element)
        if elements.count >= count * 2 { cut() }
    }

    private mutating func cut() {
        elements = Array(sorted)
        largest = elements.last
    }

    var sorted: ArraySlice<Element> { elements.sorted(by: isBefore).prefix(count) }
}
