extension Signal {
    /// This signal, subscribed to once for all subscribers.
    ///
    /// ```
    /// self               --1---2---3---4---5--
    /// first               ^1---2---x
    /// second, no replay      ^-2---3-x
    /// second, replay 1       ^12---3-x
    /// ```
    ///
    /// It subscribes to its source with the first subscriber, unsubscribes with the last, and subscribes again when
    /// another comes. A late subscriber hears one of four things:
    ///
    /// | | `replay: 0` | `replay: n` |
    /// | --- | --- | --- |
    /// | `.whileConnected`, others listen | what follows | the last n, then what follows |
    /// | `.whileConnected`, the others have left, or the source has ended | a new subscription to the source | a new subscription to the source |
    /// | `.forever`, others listen | what follows | the last n, then what follows |
    /// | `.forever`, the others have left | a new subscription to the source | the last n of before, then a new subscription |
    /// | `.forever`, the source has ended | the end | the last n, then the end |
    ///
    /// The slowest subscriber sets the pace: while one of them pauses, the source pauses, too. A subscriber that must
    /// not slow the others needs a queue of its own that loses rather than pauses, for example
    /// `deliver(on:limit:overflow:)` with ``Overflow/dropOldest``.
    ///
    /// (Both scopes are as in RxSwift. Combine's `share` is `.forever` without replay; ReactiveCocoa's `autoconnect`
    /// never subscribed a second time.)
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription, and the one to the source with the last.
    /// - Buffers: the last `replay` values; while one event is being delivered, at most 65,536 others. Beyond that
    ///   the newest is lost and counted.
    /// - Thread: the source's. Replayed values come during `subscribe`, or on the thread that is delivering.
    ///
    /// - Parameters:
    ///   - count: how many values a late subscriber hears.
    ///   - scope: how long they are kept.
    @inlinable
    public func share(replay count: Int = 0, while scope: ShareScope = .whileConnected) -> some Signal<Value, Failure> {
        ShareSignal(upstream: self, replay: count, scope: scope)
    }
}

@usableFromInline
struct ShareSignal<Upstream: Signal>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline typealias Hub = ReplaySubject<Value, Failure>
    @usableFromInline let upstream: Upstream
    @usableFromInline let count: Int
    /// The hub that outlives the subscribers, if there is one.
    @usableFromInline let lasting: Hub?
    @usableFromInline let audience = Audience<Hub>()

    @usableFromInline
    init(upstream: Upstream, replay count: Int, scope: ShareScope) {
        self.upstream = upstream
        self.count = count
        lasting =
            switch scope {
            case .whileConnected: nil
            case .forever: Hub(failure: Failure.self, capacity: count)
            }
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        if let lasting, lasting.demand == .stop { return lasting.subscribe(observer) }
        let ticket = audience.join { lasting ?? Hub(failure: Failure.self, capacity: count) }
        let handle = ticket.hub.subscribe(AudienceObserver(observer, ticket.seat))
        if let connection = ticket.connection, !connection.isDisposed {
            connection.carry(upstream.subscribe(ShareObserver(ticket.hub, connection, audience)))
        }
        return AudienceHandle(subscription: handle, seat: ticket.seat)
    }

    @usableFromInline var chain: Chain { upstream.chain.appending("share(replay: \(count))") }
}
