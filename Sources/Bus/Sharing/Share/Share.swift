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
        let handle = ticket.hub.subscribe(ReleasingObserver(observer, holding: ticket.seat))
        if let connection = ticket.connection, !connection.isDisposed {
            connection.carry(upstream.subscribe(ShareObserver(ticket.hub, connection, audience)))
        }
        return DisposablePair(handle, ticket.seat)
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("share") }
    @usableFromInline var chain: Chain { upstream.chain.appending("share(replay: \(count))") }
}

/// How long the values of a shared signal are kept. See `Signal.share(replay:while:)`.
public enum ShareScope: Sendable {
    /// From the first subscriber to the last, and not beyond the source's end: a later subscriber starts from
    /// scratch.
    case whileConnected
    /// As long as the shared signal: a later subscriber hears the kept values, and the end if there was one.
    case forever
}

/// Sends the source's events to the subscribers, as long as the connection lasts.
@frozen
@usableFromInline
struct ShareObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    @usableFromInline typealias Hub = ReplaySubject<Value, Failure>
    @usableFromInline let hub: Hub
    // Beside the hub, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<ReplayList<Value, Failure>>
    @usableFromInline let connection: SubscriptionGate
    @usableFromInline let end: ShareEnd<Hub>

    @inlinable
    init(_ hub: Hub, _ connection: SubscriptionGate, _ audience: Audience<Hub>) {
        self.hub = hub
        output = hub.core
        self.connection = connection
        end = ShareEnd(connection, audience)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if !connection.isOpen { return .stop }
        let demand = output.next(value)
        // The last subscriber may have left with this value.
        return !connection.isOpen ? .stop : demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if connection.isOpen { output.lost(count) }
    }

    // Not inlinable: nothing is gained, and the optimiser of Swift 6.3.1 stops at deinitialisers in such functions.
    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        // First, so that a subscriber that subscribes again when it hears the end starts anew.
        end.come()
        if connection.end() { output.terminate(termination) }
    }

    @inlinable
    var demand: Demand { !connection.isOpen ? .stop : output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        !connection.isOpen ? .stop : output.whenReady(resume)
    }
}

/// Reports that nothing comes from the source any more, because it ended or was dropped.
@usableFromInline
final class ShareEnd<Hub: Sendable>: Sendable {
    private let connection: SubscriptionGate
    private let audience: Audience<Hub>

    @usableFromInline
    init(_ connection: SubscriptionGate, _ audience: Audience<Hub>) {
        self.connection = connection
        self.audience = audience
    }

    deinit {
        come()
    }

    @usableFromInline
    func come() {
        audience.close(connection)
    }
}
