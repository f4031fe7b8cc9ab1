/// Carries values between parts of a program that do not know each other.
///
/// One part posts a value on a ``Topic``; others subscribe to the topic, or to a pattern of topics. Neither knows the other,
/// nor whether there is one.
///
/// ```swift
/// import Bus
///
/// extension Topic where Value == Double {
///     static let temperature = Topic("sensor.kitchen.temperature", keeping: .last)
/// }
///
/// let bus = NotificationBus()
/// let warm = bus.signal(for: .temperature)
///     .filter { $0 > 30 }
///     .subscribe(next: { print("too warm: \($0)") })
/// let all = bus.envelopes(matching: "sensor.>")
///     .subscribe(next: { print($0.topic, $0.value) })
///
/// bus.post(31.5, to: .temperature)
/// ```
///
/// These rules hold on every bus:
///
/// - **Order.** All subscribers of a topic hear its values in one order, in which they are numbered. A subscriber of a
///   pattern hears each topic in its order. Across topics, it hears the values of one posting thread in the order in which
///   that thread posted them, unless a value of one of these topics is being delivered at that time: then the next value of
///   that topic waits, and one of another topic may be heard before it.
/// - **Threads.** A subscriber hears a value on the poster's thread, before `post` returns, unless another value of the topic
///   is being delivered: then on the thread that delivers it. `deliver(on:)` behind the signal moves it to a scheduler. A
///   subscriber that works for long does so behind `deliver(on:)`; otherwise it keeps the poster waiting.
/// - **Back-pressure.** Each subscriber has a queue of its own, which fills while the subscriber pauses. When it is full, it
///   loses values as its ``Overflow`` says. The subscriber is told how many values it missed, at the point in the sequence
///   where they are missing. A subscriber that pauses delays neither posters nor other subscribers.
///   ``TopicPoster/postWhenReady(_:fileID:line:)`` lets a poster wait for all of them.
/// - **Re-entrancy.** Posting, subscribing and disposing are allowed from any thread, inside subscribers too. A value that a subscriber
///   posts on the topic it is hearing is delivered to all after the present one.
/// - **Newcomers.** A topic keeps nothing, its last value, or its last n, as its ``TopicRetention`` says. A newcomer hears
///   the kept values and then the values that are posted later, each value once. ``clearRetained(for:)`` forgets the kept values.
///
/// Dropping the bus frees all its subscribers' chains, which hear no end; ``close()`` ends them. Neither posters nor subscriptions
/// keep a bus alive.
public final class NotificationBus: Sendable {
    @usableFromInline let hub: BusHub

    /// - Parameters:
    ///   - topicLimit: how many topics the bus remembers. When there are more, it forgets topics that have no subscriber of
    ///     their own, no poster and no kept values. If such a topic is used again, its numbers begin with 1 again. While more than seven
    ///     eighths of the limit are in use, the bus may remember an eighth more than the limit, or than are in use.
    ///   - limit: how many values may wait in each topic while another value of it is being delivered. Beyond that, the
    ///     newest is lost, and the subscribers are told.
    public convenience init(topicLimit: Int = 65_536, limit: Int = 65_536) {
        self.init(BusHub(scope: "", parent: nil, topicLimit: topicLimit, channelLimit: limit))
    }

    private init(_ hub: BusHub) {
        self.hub = hub
    }

    deinit {
        hub.abandon()
    }

    // MARK: Posting

    /// Posts a value: sends it to all subscribers of the topic, and of patterns that match it.
    ///
    /// It looks the topic up each time. Code that posts often should get a ``poster(for:)`` once. After ``close()`` it does
    /// nothing.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - topic: the topic.
    ///   - fileID: where it is posted, for ``Envelope/origin``.
    ///   - line: the same.
    @inlinable
    public func post<Value: Sendable>(
        _ value: Value,
        to topic: Topic<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let channel = hub.use(topic)
        channel.post(value, CodeLocation(fileID: fileID, line: line))
        hub.leave(channel)
    }

    /// A poster, which posts on a topic without looking it up each time.
    public func poster<Value: Sendable>(for topic: Topic<Value>) -> TopicPoster<Value> {
        TopicPoster(hub.use(topic))
    }

    /// Whether values of the topic may be posted: nobody uses it on this bus with another type or retention, which stops the program.
    package func takes<Value: Sendable>(_ topic: Topic<Value>) -> Bool {
        sequence(first: hub, next: \.parent).allSatisfy { hub in
            guard let channel = hub.channel(topic.name) else { return true }
            return type(of: channel) == TypedChannel<Value>.self
                && channel.status.retention.count == topic.retention.count
        }
    }

    // MARK: Subscribing

    /// The values that are posted on a topic.
    ///
    /// ```
    /// post             --1--2--3--4--
    /// signal(for:)     --1--2--3--4--    (subscribed to at the beginning)
    /// signal(for:)            ^23--4--   (later; the topic keeps its last value)
    /// ```
    ///
    /// - Ends: when the bus is closed, behind the values posted before.
    /// - Fails: as `overflow` says; by default it can only lose values.
    /// - Cancelling: ends the subscription, at once or after the value that is being delivered.
    /// - Buffers: at most `limit` values while the subscriber pauses.
    /// - Thread: the poster's; see ``NotificationBus``. Kept values are heard during `subscribe`, unless a value of the topic
    ///   is being delivered on another thread: then on that thread.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - limit: how many values may wait for this subscriber.
    ///   - overflow: what happens to a value when so many wait already. ``Overflow/pause`` loses the newest, because
    ///     posters do not wait.
    ///   - fileID: where the signal is made, for ``subscribers``.
    ///   - line: the same.
    @inlinable
    public func signal<Value: Sendable>(
        for topic: Topic<Value>,
        limit: Int = 1024,
        overflow: Overflow<Never> = .dropOldest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Value, Never> {
        TopicValues(bus: self, topic: topic, limit: limit, overflow: overflow, fileID: fileID, line: line)
    }

    /// The values that are posted on a topic, with number, time and origin. See ``signal(for:limit:overflow:fileID:line:)`` for the rest.
    @inlinable
    public func envelopes<Value: Sendable>(
        for topic: Topic<Value>,
        limit: Int = 1024,
        overflow: Overflow<Never> = .dropOldest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Envelope<Value>, Never> {
        TopicEnvelopes(bus: self, topic: topic, limit: limit, overflow: overflow, fileID: fileID, line: line)
    }

    /// The values that are posted on a topic after the one with a given number: for a subscriber that comes back.
    ///
    /// ```
    /// post                      --1--2--3--4--5--   (the topic keeps its last two values)
    /// envelopes(for:after: 1)               ^·34--5--   (told of one loss: of value 2)
    /// ```
    ///
    /// A subscriber can note the number of the last value that it handled and ask for the values after it. It then hears of
    /// each later value once: it gets the values that are kept, and the number of those that are not, with the next value or
    /// before the end. A number that the topic has not reached comes from another bus, or from before the topic was
    /// forgotten; the subscriber then hears all kept values.
    /// See ``signal(for:limit:overflow:fileID:line:)`` for the rest.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - sequence: the number of the last value that is not wanted again.
    ///   - limit: how many values may wait for this subscriber.
    ///   - overflow: what happens to a value when so many wait already.
    ///   - fileID: where the signal is made, for ``subscribers``.
    ///   - line: the same.
    @inlinable
    public func envelopes<Value: Sendable>(
        for topic: Topic<Value>,
        after sequence: UInt64,
        limit: Int = 1024,
        overflow: Overflow<Never> = .dropOldest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Envelope<Value>, Never> {
        TopicEnvelopes(
            bus: self,
            topic: topic,
            after: sequence,
            limit: limit,
            overflow: overflow,
            fileID: fileID,
            line: line
        )
    }

    /// The values that are posted on all topics that match a pattern.
    ///
    /// ```
    /// post to a.x      --1-----3-----
    /// post to a.y      -----2-----4--
    /// matching "a.*"   --1--2--3--4--
    /// ```
    ///
    /// A newcomer first hears the kept values, topic by topic in the order of their names.
    ///
    /// - Ends: when the bus is closed, behind the values posted before.
    /// - Fails: as `overflow` says; by default it can only lose values.
    /// - Cancelling: ends the subscription, at once or after the value that is being delivered.
    /// - Buffers: at most `limit` values while the subscriber pauses, or hears a value of another topic on another thread.
    /// - Thread: the poster's; see ``NotificationBus``.
    ///
    /// - Parameters:
    ///   - pattern: the pattern of topics.
    ///   - limit: how many values may wait for this subscriber.
    ///   - overflow: what happens to a value when so many wait already.
    ///   - fileID: where the signal is made, for ``subscribers``.
    ///   - line: the same.
    @inlinable
    public func envelopes(
        matching pattern: TopicPattern,
        limit: Int = 1024,
        overflow: Overflow<Never> = .dropOldest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Envelope<any Sendable>, Never> {
        PatternSignal(bus: self, pattern: pattern, limit: limit, overflow: overflow, fileID: fileID, line: line)
    }

    /// The values that are posted on all topics that match a pattern and carry one type.
    /// See ``envelopes(matching:limit:overflow:fileID:line:)`` for the rest.
    @inlinable
    public func envelopes<Value: Sendable>(
        matching pattern: TopicPattern,
        of type: Value.Type,
        limit: Int = 1024,
        overflow: Overflow<Never> = .dropOldest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Envelope<Value>, Never> {
        envelopes(matching: pattern, limit: limit, overflow: overflow, fileID: fileID, line: line)
            .compactMap { envelope in (envelope.value as? Value).map { value in envelope.map { _ in value } } }
    }

    // MARK: Kept values

    /// The values that a topic keeps for newcomers at this moment, the oldest first. May be called from any thread.
    public func retained<Value: Sendable>(for topic: Topic<Value>) -> [Envelope<Value>] {
        let channel = hub.use(topic)
        defer { hub.leave(channel) }
        return channel.retained
    }

    /// Forgets the kept values of the topics that match a pattern. May be called from any thread.
    public func clearRetained(matching pattern: TopicPattern) { hub.clear(pattern) }

    /// Forgets the kept values of a topic. May be called from any thread.
    public func clearRetained<Value: Sendable>(for topic: Topic<Value>) { hub.channel(topic.name)?.clear() }

    // MARK: Scopes

    /// A bus inside this one. Values posted on it are heard by its own subscribers and then by those of this bus, in one
    /// order; values posted on this bus are not heard by the child's subscribers.
    ///
    /// It is for parts of a program that come and go, such as the connections of a server: all subscriptions on the child end
    /// with it. Subscribers of this bus see where each value was posted (``Envelope/scope``). On this bus the value takes a
    /// number of this bus. The child is closed with this bus. It does not keep this bus alive.
    ///
    /// - Parameter name: the child's name in ``Envelope/scope``. Several children may have one name.
    public func child(named name: String) -> NotificationBus {
        let scope = hub.scope.isEmpty ? name : "\(hub.scope)/\(name)"
        return NotificationBus(hub.makeChild(scope: scope))
    }

    /// Ends all subscriptions on this bus and on its children: they complete, each behind the values posted before and the
    /// values that wait in its queue. Later values are heard by nobody, and later subscribers hear the end at once.
    public func close() { hub.close() }

    /// Whether the bus was closed.
    public var isClosed: Bool { hub.isClosed }

    // MARK: Looking inside

    /// The topics of the bus at this moment, by name.
    public var topics: [TopicDescription] {
        hub.channels.sorted { $0.status.address.name < $1.status.address.name }.map(description(of:))
    }

    /// The first topics, by name, of those that match a pattern and come after a name. Sorts only these.
    package func topics(matching pattern: TopicPattern, after name: String?, atMost count: Int) -> [TopicDescription] {
        var first = Smallest<TopicChannel>(count) { $0.status.address.name < $1.status.address.name }
        for channel in hub.channels {
            let present = channel.status.address.name
            if let name, present.text <= name { continue }
            if pattern.matches(present) { first.add(channel) }
        }
        return first.sorted.map(description(of:))
    }

    private func description(of channel: TopicChannel) -> TopicDescription {
        let matching = hub.patterns(matching: channel.status.address.name).subscribers
        return TopicDescription(channel, patternSubscribers: matching.count)
    }

    /// The subscribers of the bus at this moment, in the order in which they subscribed, and then those of its children.
    ///
    /// A subscriber is listed from the moment it subscribes until its subscription ends: when it hears the end, when it is
    /// disposed of, or when the bus is dropped. A subscriber of a closed bus stays until it has heard the values that wait
    /// for it. The list does not keep subscribers alive. It is there in release builds too.
    ///
    /// May be called from any thread. It takes each subscriber's lock in turn, so the entries are not of one moment.
    public var subscribers: [SubscriberDescription] {
        let now = MonotonicTime.nanoseconds
        return hub.accounts.map { $0.description(at: now) }
    }
}
