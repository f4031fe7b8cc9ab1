public import Bus

/// A hot source under a test's control that knows how many subscriptions hold it.
public final class ProbeSource<Value: Sendable, Failure: Error>: Signal {
    private let subject: Subject<Value, Failure>
    fileprivate let live: LiveCount

    public init(of type: Value.Type = Value.self, failure: Failure.Type = Failure.self) {
        subject = Subject(of: type, failure: failure)
        live = LiveCount()
    }

    /// How many subscriptions there were.
    public var subscriptions: Int { live.total }

    /// How many subscriptions have neither ended nor been disposed of.
    public var liveSubscriptions: Int { live.current }

    public func send(_ value: Value) { subject.send(value) }

    public func complete() { subject.complete() }

    public func fail(_ failure: Failure) { subject.fail(failure) }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let lease = live.acquire()
        return ProbeHandle(
            lease: lease,
            wrapped: subject.subscribe(ProbeObserver(downstream: observer, lease: lease))
        )
    }
}

/// Counts what is held.
private final class LiveCount: Sendable {
    private let state = Lock((current: 0, total: 0))

    var current: Int { state.withLock { $0.current } }
    var total: Int { state.withLock { $0.total } }

    func acquire() -> ActionDisposable {
        state.withLock {
            $0.current += 1
            $0.total += 1
        }
        return ActionDisposable { self.state.withLock { $0.current -= 1 } }
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
