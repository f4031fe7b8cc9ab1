/// A signal that hears its source through a subject, once it is told to ``connect()``.
public struct ConnectableSignal<Shared: SubjectProtocol>: Signal {
    public typealias Value = Shared.Value
    public typealias Failure = Shared.Failure

    @usableFromInline let subject: Shared
    private let start: @Sendable (SubscriptionGate) -> any Disposable
    private let current = Lock<SubscriptionGate?>(nil)
    private let describe: @Sendable () -> Chain

    @usableFromInline
    init(
        subject: Shared,
        start: @escaping @Sendable (SubscriptionGate) -> any Disposable,
        describe: @escaping @Sendable () -> Chain
    ) {
        self.subject = subject
        self.start = start
        self.describe = describe
    }

    /// Subscribes the subject to the source, and returns the handle that ends that subscription.
    ///
    /// While the connection lasts, every call returns the same connection, on any thread. After it was disposed of,
    /// connecting again subscribes to the source again. When the source or the subject has ended, there is nothing to
    /// connect any more. (As in Combine and RxSwift; ReactiveCocoa never connected a second time.)
    ///
    /// Dropping the handle does not end the connection. A synchronous source sends all its events before this
    /// returns.
    public func connect() -> any Disposable {
        guard let connection = connect(SubscriptionGate()) else { return FinishedDisposable() }
        return connection
    }

    /// Makes a connection that `gate` ends. Returns the present one instead, if there is one.
    @usableFromInline
    func connect(_ gate: SubscriptionGate) -> SubscriptionGate? {
        guard subject.demand != .stop else { return nil }
        let (connection, former) = current.withLock { current -> (SubscriptionGate, SubscriptionGate?) in
            if let current, !current.isDisposed { return (current, nil) }
            defer { current = gate }
            return (gate, current)
        }
        // Released here, not under the lock: it may hold a handle of the source.
        withExtendedLifetime(former) {}
        if connection === gate { gate.carry(start(gate)) }
        return connection
    }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        subject.subscribe(observer)
    }

    public static var chain: Chain { Shared.chain.appending("connectable") }
    public var chain: Chain { describe() }
}

extension ConnectableSignal {
    /// This signal, connected with the first subscriber and disconnected with the last.
    ///
    /// ```
    /// self     --1---2---3---4---5--
    /// first     ^1---2---x
    /// second       ^-2---3-x
    /// third                  ^4---5--     (connected again)
    /// ```
    ///
    /// A later subscriber reconnects: the source is subscribed to anew, and the subject is the same as before, with
    /// the values it kept. When the source has ended, the subject has ended, too, for good. (As in Combine and
    /// RxSwift; ReactiveCocoa never connected a second time.)
    ///
    /// - Ends: when the source has ended, or other code has ended the subject.
    /// - Fails: with the source.
    /// - Cancelling: ends one subscription, and the connection with the last, a connection made by hand included.
    /// - Buffers: as the subject does.
    @inlinable
    public func autoconnect() -> some Signal<Value, Failure> {
        AutoconnectSignal(connectable: self)
    }
}

@usableFromInline
struct AutoconnectSignal<Shared: SubjectProtocol>: Signal {
    @usableFromInline typealias Value = Shared.Value
    @usableFromInline typealias Failure = Shared.Failure
    @usableFromInline let connectable: ConnectableSignal<Shared>
    @usableFromInline let audience = Audience<Void>()

    @usableFromInline
    init(connectable: ConnectableSignal<Shared>) {
        self.connectable = connectable
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let ticket = audience.join { () }
        let handle = connectable.subscribe(ReleasingObserver(observer, holding: ticket.seat))
        if let gate = ticket.connection, !gate.isDisposed {
            // Another one was made by hand.
            if let connection = connectable.connect(gate), connection !== gate { gate.carry(connection) }
        }
        return DisposablePair(handle, ticket.seat)
    }

    @usableFromInline static var chain: Chain { Shared.chain.appending("autoconnect") }
    @usableFromInline var chain: Chain { connectable.chain.appending("autoconnect") }
}

/// Sends the source's events into the subject, as long as the connection lasts.
@frozen
@usableFromInline
struct ConnectionObserver<Target: SubjectProtocol>: Observer, ~Copyable {
    @usableFromInline typealias Value = Target.Value
    @usableFromInline typealias Failure = Target.Failure
    @usableFromInline let target: Target
    @usableFromInline let connection: SubscriptionGate

    @inlinable
    init(_ target: Target, _ connection: SubscriptionGate) {
        self.target = target
        self.connection = connection
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        guard connection.isOpen else { return .stop }
        target.send(value)
        return demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if connection.isOpen { target.sendLoss(of: count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // If the connection was disposed of, it is over and the subject goes on.
        guard connection.end() else { return }
        switch termination {
        case .completed: target.complete()
        case .failed(let failure): target.fail(failure)
        }
    }

    @inlinable
    var demand: Demand { !connection.isOpen ? .stop : target.demand }

    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard connection.isOpen else { return .stop }
        // Made, too, when the subject ends and releases what waits: the source learns then that it is over.
        let call = LastCall(resume)
        let answer = target.whenReady { withExtendedLifetime(call) {} }
        if answer != .pause { call.forgo() }
        return answer
    }
}
