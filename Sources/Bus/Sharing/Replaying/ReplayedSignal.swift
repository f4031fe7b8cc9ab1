/// What a source said and says, kept going by whoever refers to it.
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
        let handle = hub.subscribe(KeepingObserver(observer, keeper))
        // Afterwards: the first subscriber hears all that a synchronous source says, and not just what is kept.
        keeper.connect()
        return handle
    }

    @usableFromInline var chain: Chain { describe() }
}

/// Keeps a connection for as long as somebody refers to it: the signal, copies of it, and every subscription.
@usableFromInline
final class ConnectionKeeper: Sendable {
    private let connection = SubscriptionGate()
    /// Until it is called. What it holds, the source, must not be held afterwards: the source holds this.
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

/// A subscriber that keeps what it hears going.
@frozen
@usableFromInline
struct KeepingObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline var keeper: (any AnyObject & Sendable)?

    @inlinable
    init(_ downstream: consuming Downstream, _ keeper: any AnyObject & Sendable) {
        self.downstream = downstream
        self.keeper = keeper
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // What was kept going is released before the end is heard.
        keeper = nil
        downstream.terminate(termination)
    }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
