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
        guard subject.demand != .stop else { return FinishedDisposable() }
        let (connection, isNew, former) = current.withLock {
            current -> (SubscriptionGate, Bool, SubscriptionGate?) in
            if let current, !current.isDisposed { return (current, false, nil) }
            let connection = SubscriptionGate()
            defer { current = connection }
            return (connection, true, current)
        }
        // Released here, not under the lock: it may hold a handle of the source.
        withExtendedLifetime(former) {}
        if isNew { connection.carry(start(connection)) }
        return connection
    }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        subject.subscribe(observer)
    }

    public var chain: Chain { describe() }
}
