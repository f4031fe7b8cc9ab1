extension Signal where Failure == Never {
    /// Posts every value on a topic of a bus, until the signal ends or the handle is disposed of.
    ///
    /// ```
    /// self                 --1--2--3--|
    /// topic's subscribers  --1--2--3-----
    /// ```
    ///
    /// This puts any source on a bus in one line: timers, OS signals, notifications, journal entries. Values that were lost before they came here
    /// take numbers of the topic, so that its subscribers learn of them. The end of the signal is not posted.
    ///
    /// It ends by itself, and releases the signal, when the bus is closed or dropped and another value comes. It does not keep the bus alive.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - bus: the bus.
    ///   - waitsForRoom: whether the signal is told to pause while a subscriber of the topic has no room. Then its slowest
    ///     subscriber sets the pace of all, and loses nothing if the signal can pause. Otherwise slow subscribers lose values, and the others
    ///     are not slowed.
    ///   - fileID: the file in ``Envelope/origin``.
    ///   - line: the same.
    /// - Returns: the handle that ends it.
    public func post(
        to topic: Topic<Value>,
        on bus: NotificationBus,
        waitsForRoom: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            TopicPostingObserver(
                bus.poster(for: topic),
                PostOrigin(fileID: fileID, line: line),
                waitsForRoom: waitsForRoom,
                SubscriptionLease(chain.appending("post(\(topic))"), of: Self.self, fileID: fileID, line: line)
            )
        )
    }
}

/// Posts what it hears.
private struct TopicPostingObserver<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    private let poster: TopicPoster<Value>
    private let origin: PostOrigin
    private let waitsForRoom: Bool
    private let lease: SubscriptionLease

    init(_ poster: TopicPoster<Value>, _ origin: PostOrigin, waitsForRoom: Bool, _ lease: consuming SubscriptionLease) {
        self.poster = poster
        self.origin = origin
        self.waitsForRoom = waitsForRoom
        self.lease = lease
    }

    mutating func next(_ value: Value) -> Demand {
        poster.channel.post(value, origin)
        return demand
    }

    mutating func lost(_ count: Int) { poster.channel.lose(count) }

    consuming func terminate(_ termination: Termination<Never>) {}

    var demand: Demand {
        let demand = poster.demand
        return demand == .pause && !waitsForRoom ? .more : demand
    }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        waitsForRoom ? poster.channel.core.whenReady(resume) : demand
    }
}
