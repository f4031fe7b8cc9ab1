public import Bus

/// A hot source under a test's control that knows how many subscriptions hold it.
public final class ProbeSource<Value: Sendable, Failure: Error>: Signal {
    private let subject: Subject<Value, Failure>
    private let log: SubscriptionLog

    /// - Parameters:
    ///   - type: what is sent.
    ///   - failure: what it may fail with.
    ///   - time: whose clock dates the ``windows``; without one they all are at zero.
    public init(
        of type: Value.Type = Value.self,
        failure: Failure.Type = Failure.self,
        on time: TestScheduler? = nil
    ) {
        subject = Subject(of: type, failure: failure)
        log = SubscriptionLog(time)
    }

    /// How many subscriptions there were.
    public var subscriptions: Int { log.windows.count }

    /// How many subscriptions have neither ended nor been disposed of.
    public var liveSubscriptions: Int { log.live }

    /// When each subscription began and ended, in the order in which they began.
    public var windows: [SubscriptionWindow] { log.windows }

    public func send(_ value: Value) { subject.send(value) }

    public func complete() { subject.complete() }

    public func fail(_ failure: Failure) { subject.fail(failure) }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let lease = log.enter()
        return ProbeHandle(
            lease: lease,
            wrapped: subject.subscribe(ProbeObserver(downstream: observer, lease: lease))
        )
    }
}

private final class ProbeHandle: Disposable {
    private let lease: ActionDisposable
    private let wrapped: any Disposable

    init(lease: ActionDisposable, wrapped: any Disposable) {
        self.lease = lease
        self.wrapped = wrapped
    }

    func dispose() {
        wrapped.dispose()
        lease.dispose()
    }

    var isDisposed: Bool { lease.isDisposed }
}

private struct ProbeObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    private var downstream: Downstream
    private let lease: ActionDisposable

    init(downstream: consuming Downstream, lease: ActionDisposable) {
        self.downstream = downstream
        self.lease = lease
    }

    mutating func next(_ value: Downstream.Value) -> Demand { downstream.next(value) }

    mutating func lost(_ count: Int) { downstream.lost(count) }

    consuming func terminate(_ termination: Termination<Downstream.Failure>) {
        lease.dispose()
        downstream.terminate(termination)
    }

    var demand: Demand { downstream.demand }
}
