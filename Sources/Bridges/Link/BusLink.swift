public import Bus

/// The topics of a bus that are carried between programs. It is made by `link(_:over:options:)` of a bus.
///
/// Dropping it does not end it; ``dispose()`` does, and so does the end of the bus, which it does not keep alive.
public final class BusLink: Disposable {
    /// Where the topics are carried, as it was given when the link was made.
    public let address: BusAddress
    private let core: LinkCore
    private let isOver = Lock(false)

    init(_ bus: NotificationBus, _ topics: [SharedTopic], over address: BusAddress, _ options: LinkOptions) {
        self.address = address
        core = LinkCore(bus, address == .process ? [] : topics, over: address, options)
        core.start()
    }

    /// This link, as others see it.
    public var sender: LinkSender { core.sender }

    /// Connections, losses and refusals of the link. A newcomer first hears the last 64 news.
    ///
    /// ```
    /// server   up---------killed------up----
    /// news     -connected-disconnected-connected-
    /// ```
    ///
    /// - Ends: with the link.
    /// - Fails: never.
    /// - Cancelling: lets go of the subscriber.
    /// - Buffers: the last 64 news for newcomers.
    /// - Thread: the link's. A subscriber that works for long keeps the values of others waiting.
    public var news: some Signal<LinkNews, Never> { core.news }

    /// The values that come over the link on a topic, with sender, number, time, origin and trace. Each is heard here just before it is posted on
    /// the bus.
    ///
    /// ```
    /// another program   --1--2--3--
    /// this program      ----x------
    /// arrivals          ---1--2--3-
    /// ```
    ///
    /// - Ends: with the link; at once, if the link does not hear the topic.
    /// - Fails: never.
    /// - Cancelling: lets go of the subscriber.
    /// - Thread: the link's.
    public func arrivals<Value: Codable & Sendable>(on topic: Topic<Value>) -> some Signal<RemoteEnvelope<Value>, Never>
    {
        guard let linked = core.topics(of: topic.name)?.topics as? JSONTopics<Value> else {
            return Signals.empty(RemoteEnvelope<Value>.self).eraseToAnySignal()
        }
        return linked.arrivals.filter { $0.topic == topic.name }.eraseToAnySignal()
    }

    /// Ends the link, and returns when the values that were posted before are sent: for a program that posts and exits.
    ///
    /// ```swift
    /// import Bus
    /// import LinkBridge
    ///
    /// let bus = NotificationBus()
    /// let alarms = Topic<String>("alarm.raised")
    /// let link = bus.link([alarms.shared(.sent)], over: try BusAddress("unix:/run/plant/bus"))
    /// bus.post("the pump stands still", to: alarms)
    /// await link.end(within: .seconds(5))
    /// ```
    ///
    /// A cancelled task waits, too.
    ///
    /// - Parameter patience: how long to wait for a connection, and for the server to take the values; in the program that serves,
    ///   for the other programs to take them. The values that are not taken then are not sent.
    public func end(within patience: Duration = .seconds(5)) async {
        isOver.withLock { $0 = true }
        await withCheckedContinuation { continuation in
            core.end(within: patience) { continuation.resume() }
        }
    }

    /// Ends the link. Values that wait are sent before, as far as there is a connection that takes them at once.
    public func dispose() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { core.end() }
    }

    public var isDisposed: Bool { isOver.withLock { $0 } }
}

extension NotificationBus {
    /// Carries topics between this bus and those of other programs. The address alone decides where. See <doc:LinkBridge>.
    ///
    /// ```swift
    /// import Bus
    /// import LinkBridge
    ///
    /// struct Order: Codable, Sendable {
    ///     var number: Int
    /// }
    ///
    /// extension Topic where Value == Order {
    ///     static let orderPlaced = Topic("order.placed")
    /// }
    ///
    /// let bus = NotificationBus()
    /// let address = try BusAddress("unix:/run/shop/bus?serve")
    /// let link = bus.link([Topic.orderPlaced.shared()], over: address)
    /// let news = link.news.subscribe(next: { print($0) })
    /// bus.post(Order(number: 7), to: .orderPlaced)
    /// ```
    ///
    /// It returns at once. The link connects, and connects again whenever the connection is lost, until it is disposed of.
    ///
    /// - Parameters:
    ///   - topics: what is carried: topics, and patterns that share no topic with another. Others are a program error, which
    ///     ends the program; patterns of a configuration are checked with `TopicPattern.overlaps(_:)` before.
    ///   - address: where to.
    ///   - options: the limits.
    /// - Returns: the handle that ends it. Dropping the handle does not.
    public func link(
        _ topics: [SharedTopic],
        over address: BusAddress,
        options: LinkOptions = LinkOptions()
    ) -> BusLink {
        BusLink(self, topics, over: address, options)
    }
}
