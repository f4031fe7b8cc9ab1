public import Bus
import Synchronization

/// A hot source under a test's control that knows how many subscriptions hold it.
public final class ProbeSource<Value: Sendable, Failure: Error>: Signal {
    private let subject: Subject<ProbeInput<Value>, Failure>
    let log: SubscriptionLog
    /// What every subscription hears first, while it is being made.
    private let opening: [Event<Value, Failure>]
    private let made = Atomic<Int>(0)

    /// - Parameters:
    ///   - type: what is sent.
    ///   - failure: what it may fail with.
    ///   - time: whose clock dates the ``windows``; without one they all are at zero.
    public convenience init(
        of type: Value.Type = Value.self,
        failure: Failure.Type = Failure.self,
        on time: TestScheduler? = nil
    ) {
        self.init(opening: [], on: time)
    }

    init(opening: [Event<Value, Failure>], on time: TestScheduler? = nil) {
        subject = Subject(failure: Failure.self)
        log = SubscriptionLog(time)
        self.opening = opening
    }

    /// How many subscriptions were made. One counts as soon as it hears what is sent next, so a test may wait for it.
    public var subscriptions: Int { made.load(ordering: .acquiring) }

    /// How many subscriptions have neither ended nor been disposed of. One counts from its beginning; to wait until it hears
    /// what is sent, wait for ``subscriptions``.
    public var liveSubscriptions: Int { log.live }

    /// When each subscription began and ended, in the order in which they began.
    public var windows: [SubscriptionWindow] { log.windows }

    public func send(_ value: Value) { subject.send(.value(value)) }

    /// Says that `count` values are missing here.
    public func lose(_ count: Int) { subject.send(.loss(count)) }

    public func complete() { subject.complete() }

    public func fail(_ failure: Failure) { subject.fail(failure) }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let lease = log.enter()
        defer { made.add(1, ordering: .releasing) }
        var observer = ProbeObserver(downstream: observer, lease: lease)
        for event in opening {
            let demand: Demand
            switch event {
            case .next(let value): demand = observer.next(.value(value))
            case .completed:
                observer.terminate(.completed)
                return lease
            case .failed(let failure):
                observer.terminate(.failed(failure))
                return lease
            }
            guard demand == .more else {
                observer.terminate(.completed)
                return lease
            }
        }
        return ProbeHandle(lease: lease, wrapped: subject.subscribe(observer))
    }

    public var chain: Chain { Chain(source: "probe") }
}

/// What goes through the source's subject: so that losses keep their place among the values.
private enum ProbeInput<Value: Sendable>: Sendable {
    case value(Value)
    case loss(Int)
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

    mutating func next(_ input: ProbeInput<Downstream.Value>) -> Demand {
        switch input {
        case .value(let value): return downstream.next(value)
        case .loss(let count):
            downstream.lost(count)
            return downstream.demand
        }
    }

    mutating func lost(_ count: Int) { downstream.lost(count) }

    consuming func terminate(_ termination: Termination<Downstream.Failure>) {
        lease.dispose()
        downstream.terminate(termination)
    }

    var demand: Demand { downstream.demand }
}
