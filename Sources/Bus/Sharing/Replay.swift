extension Signal {
    /// This signal, subscribed to at once and only once; every subscriber, however late, hears the last values first.
    ///
    /// ```
    /// self               1--2--3--4--|
    /// replay(capacity: 2)
    ///   late                   ^23--4--|
    ///   after the end                      ^34|
    /// ```
    ///
    /// The source is kept going by the returned signal, its copies and its subscriptions, and released when the last
    /// of them is gone. (As in ReactiveSwift; ReactiveCocoa went on for good, and kept all values.)
    ///
    /// - Ends: with the source; later subscribers hear the kept values, and the end.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription.
    /// - Buffers: the last `capacity` values; while one event is being delivered, at most 65,536 others. Beyond that
    ///   the newest is lost and counted.
    /// - Thread: the source's. Replayed values come during `subscribe`, or on the thread that is delivering.
    ///
    /// - Parameter capacity: how many values are kept.
    @inlinable
    public func replay(capacity: Int) -> some Signal<Value, Failure> {
        let replayed = ReplayedSignal(self, capacity: capacity, name: "replay(capacity: \(capacity))")
        replayed.keeper.connect()
        return replayed
    }

    /// This signal, subscribed to at once; every subscriber, however late, hears the last value first.
    ///
    /// ```
    /// self            1--2--3--4--|
    /// late                ^2-3--4--|
    /// after the end                   ^4|
    /// ```
    ///
    /// Shorthand for `replay(capacity: 1)`.
    ///
    /// - Ends: with the source; later subscribers hear the last value, and the end.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription.
    /// - Buffers: one value; while one event is being delivered, at most 65,536 others.
    /// - Thread: the source's. Replayed values come during `subscribe`, or on the thread that is delivering.
    @inlinable
    public func replayLast() -> some Signal<Value, Failure> {
        replay(capacity: 1)
    }
}

extension Signal {
    /// This signal, subscribed to once, with the first subscriber; later subscribers hear the last values first.
    ///
    /// ```
    /// self                   1--2--3--4--|
    /// replayLazily(capacity: 1)
    ///   first                ^1--2--3--4--|
    ///   late                      ^2--3--4--|
    ///   after the end                          ^4|
    /// ```
    ///
    /// Once subscribed to, the source is kept going by the returned signal, its copies and its subscriptions, also while
    /// nobody listens; it is released when the last of them is gone. It is never subscribed to again. (As in
    /// ReactiveSwift and ReactiveCocoa; `share(replay:while:)` unsubscribes with its last subscriber.)
    ///
    /// - Ends: with the source; later subscribers hear the kept values, and the end.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription.
    /// - Buffers: the last `capacity` values; while one event is being delivered, at most 65,536 others. Beyond that
    ///   the newest is lost and counted.
    /// - Thread: the source's. Replayed values come during `subscribe`, or on the thread that is delivering.
    ///
    /// - Parameter capacity: how many values are kept.
    @inlinable
    public func replayLazily(capacity: Int) -> some Signal<Value, Failure> {
        ReplayedSignal(self, capacity: capacity, name: "replayLazily(capacity: \(capacity))")
    }
}

/// The past and later values of a source, kept going as long as anything refers to it.
@usableFromInline
struct ReplayedSignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let hub: ReplaySubject<Value, Failure>
    @usableFromInline let keeper: ConnectionKeeper
    @usableFromInline let describe: @Sendable () -> Chain

    @usableFromInline
    init<Upstream: Signal>(
        _ upstream: Upstream,
        capacity: Int,
        name: String
    ) where Upstream.Value == Value, Upstream.Failure == Failure {
        let hub = ReplaySubject(of: Value.self, failure: Failure.self, capacity: capacity)
        self.hub = hub
        keeper = ConnectionKeeper { upstream.subscribe(ConnectionObserver(hub, $0)) }
        describe = { upstream.chain.appending(name) }
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let handle = hub.subscribe(ReleasingObserver(observer, holding: KeptAlive(keeper)))
        // Afterwards: the first subscriber hears all events of a synchronous source, and not just the kept values.
        keeper.connect()
        return handle
    }

    @usableFromInline var chain: Chain { describe() }
}

/// Keeps a connection for as long as anything refers to it: the signal, copies of it, and every subscription.
@usableFromInline
final class ConnectionKeeper: Sendable {
    private let connection = SubscriptionGate()
    /// Set until it is called. Afterwards its capture, the source, must not be held: the source holds this object.
    private let start: Lock<(@Sendable (SubscriptionGate) -> any Disposable)?>

    @usableFromInline
    init(_ start: @escaping @Sendable (SubscriptionGate) -> any Disposable) {
        self.start = Lock(start)
    }

    deinit {
        connection.dispose()
    }

    /// Connects, once.
    @usableFromInline
    func connect() {
        let start = start.withLock { (start) -> (@Sendable (SubscriptionGate) -> any Disposable)? in start.take() }
        if let start { connection.carry(start(connection)) }
    }
}
