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
    ///   - waitsForCapacity: whether the signal is told to pause while a subscriber of the topic has no room. Then its slowest
    ///     subscriber sets the pace of all, and loses nothing if the signal can pause. Otherwise slow subscribers lose values, and the others
    ///     are not slowed.
    ///   - fileID: the file in ``Envelope/origin``.
    ///   - line: the same.
    /// - Returns: the handle that ends it.
    public func post(
        to topic: Topic<Value>,
        on bus: NotificationBus,
        waitsForCapacity: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            TopicPostingObserver(
                bus.poster(for: topic),
                CodeLocation(fileID: fileID, line: line),
                waitsForCapacity: waitsForCapacity,
                SubscriptionLease(chain.appending("post(\(topic))"), of: Self.self, fileID: fileID, line: line)
            )
        )
    }
}

/// Posts what it hears.
private struct TopicPostingObserver<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    private let poster: TopicPoster<Value>
    private let origin: CodeLocation
    private let waitsForCapacity: Bool
    private let lease: SubscriptionLease

    init(
        _ poster: TopicPoster<Value>,
        _ origin: CodeLocation,
        waitsForCapacity: Bool,
        _ lease: consuming SubscriptionLease
    ) {
        self.poster = poster
        self.origin = origin
        self.waitsForCapacity = waitsForCapacity
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
        return demand == .pause && !waitsForCapacity ? .more : demand
    }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard waitsForCapacity else { return demand }
        // Made, too, when the bus ends and releases what waits: the signal learns then that it is over.
        let call = LastCall(resume)
        let answer = poster.channel.whenReady { withExtendedLifetime(call) {} }
        if answer != .pause { call.forgo() }
        return answer
    }
}

extension Signal where Failure == Never {
    /// Posts every value on the topic that it belongs to.
    ///
    /// ```swift
    /// import Bus
    ///
    /// let bus = NotificationBus()
    /// let readings = Subject(of: (sensor: String, value: Double).self)
    /// let posting = readings.post(on: bus) { try? Topic(checking: "sensor.\(TopicName.token(encoding: $0.sensor))") }
    /// ```
    ///
    /// The topic is looked up for each value. Values that were lost before they came here belong to no topic; `lost` is told of them. The end
    /// of the signal is not posted. It ends by itself when the bus is closed or dropped, and does not keep the bus alive.
    ///
    /// - Parameters:
    ///   - bus: the bus.
    ///   - fileID: the file in ``Envelope/origin``.
    ///   - line: the same.
    ///   - lost: called with the number of values that were lost before they came here.
    ///   - topic: the topic of a value; `nil` for a value that is not posted.
    /// - Returns: the handle that ends it.
    public func post(
        on bus: NotificationBus,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        lost: @escaping @Sendable (Int) -> Void = { _ in },
        to topic: @escaping @Sendable (Value) -> Topic<Value>?
    ) -> any Disposable {
        let hub = bus.hub
        let origin = CodeLocation(fileID: fileID, line: line)
        return take(while: { _ in !hub.isClosed }).subscribe(
            next: { value in
                guard let topic = topic(value) else { return }
                let channel = hub.use(topic)
                channel.post(value, origin)
                hub.leave(channel)
            },
            lost: lost
        )
    }
}

extension Signal {
    /// Posts every value of a signal that can fail on a topic of a bus, and hands the failure to a closure.
    ///
    /// ```swift
    /// import Bus
    /// import JournalBridge
    ///
    /// let bus = NotificationBus()
    /// let entries = Topic<JournalItem>("journal.entry")
    /// let mount = Signals.journal(from: .tail(0)).post(to: entries, on: bus, failed: { print($0) })
    /// ```
    ///
    /// The failure is not posted, and the topic goes on. To try again, put `retry` before `post`. The rest is as with a
    /// signal that cannot fail.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - bus: the bus.
    ///   - waitsForCapacity: whether the signal is told to pause while a subscriber of the topic has no room.
    ///   - failed: called once if the signal fails, where the signal sends. The subscription is over then.
    ///   - fileID: the file in ``Envelope/origin``.
    ///   - line: the same.
    /// - Returns: the handle that ends it.
    public func post(
        to topic: Topic<Value>,
        on bus: NotificationBus,
        waitsForCapacity: Bool = false,
        failed: @escaping @Sendable (Failure) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        self.catch { failure in
            failed(failure)
            return Signals.empty(Value.self)
        }
        .post(to: topic, on: bus, waitsForCapacity: waitsForCapacity, fileID: fileID, line: line)
    }
}

/// Posts on one topic of a bus, which it has looked up once.
///
/// It may be used from any thread. It does not keep the bus alive: once the bus is gone or closed, it does nothing.
public final class TopicPoster<Value: Sendable>: Sendable {
    @usableFromInline let channel: TypedChannel<Value>

    init(_ channel: TypedChannel<Value>) {
        self.channel = channel
    }

    deinit {
        channel.status.hub.leave(channel)
    }

    /// Posts a value. See ``NotificationBus/post(_:to:fileID:line:)``.
    @inlinable
    public func post(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        channel.post(value, CodeLocation(fileID: fileID, line: line))
    }

    /// Posts a value from a task once every subscriber has room for it, and waits there until then.
    ///
    /// If this is the only poster, no subscriber loses a value for being slow.
    ///
    /// - Returns: whether it was posted: not once the bus is gone or closed, nor when the task is cancelled before there is room.
    @discardableResult
    public func postWhenReady(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
        let channel = channel
        let demand = channel.demand == .pause ? await ObserverReadiness.wait { channel.whenReady($0) } : channel.demand
        guard demand == .more else { return false }
        post(value, fileID: fileID, line: line)
        return true
    }

    /// Whether a subscriber would hear a value, or it would be kept: for a poster whose values are costly to make.
    public var wantsValues: Bool { channel.wantsValues }

    /// ``Demand/pause`` while a subscriber has no room for another value, and ``Demand/stop`` once the bus is gone or closed.
    public var demand: Demand { channel.demand }
}
