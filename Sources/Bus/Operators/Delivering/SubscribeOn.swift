extension Signal {
    /// The same signal; subscribing and disposing happen on a scheduler.
    ///
    /// ```
    /// self            --1--2--|
    /// subscribe(on:)   --1--2--|
    /// ```
    ///
    /// Values are not moved: they are heard where the source sends them. A source that delivers while being
    /// subscribed to, such as a sequence, sends on the scheduler until it is told to pause for the first time.
    /// (`from(_:on:)` keeps a sequence on its scheduler.)
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: before the scheduler has started the work, nothing is subscribed to; later, the source's
    ///   subscription is ended on the scheduler. Nothing is heard meanwhile but the event in flight.
    ///
    /// - Parameter scheduler: where the source is subscribed to and its subscription ended.
    @inlinable
    public func subscribe<Target: Scheduler>(on scheduler: Target) -> some Signal<Value, Failure> {
        SubscribeOnSignal(upstream: self, scheduler: scheduler)
    }
}

@frozen
@usableFromInline
struct SubscribeOnSignal<Upstream: Signal, Target: Scheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let scheduler: Target

    @inlinable
    init(upstream: Upstream, scheduler: Target) {
        self.upstream = upstream
        self.scheduler = scheduler
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let subscription = SubscribeOnSubscription(observer, scheduler: scheduler)
        let upstream = upstream
        scheduler.schedule {
            guard let observer = subscription.takeDownstream() else { return }
            subscription.gate.carry(upstream.subscribe(GatedObserver(observer, gate: subscription.gate)))
        }
        return subscription
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("subscribe(on:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("subscribe(on: \(Chain.name(of: scheduler)))") }
}

/// One subscription to a `subscribe(on:)`, and its handle.
///
/// It holds the observer until the scheduler runs the subscription; from then on the source holds it.
@usableFromInline
final class SubscribeOnSubscription<Downstream: Observer & ~Copyable>: Disposable {
    @usableFromInline let gate = SubscriptionGate()
    private let downstream: Lock<Downstream?>
    private let scheduler: any Scheduler

    @usableFromInline
    init(_ downstream: consuming Downstream, scheduler: any Scheduler) {
        self.downstream = Lock(downstream)
        self.scheduler = scheduler
    }

    /// The observer, unless it was disposed of.
    @usableFromInline
    func takeDownstream() -> Downstream? { downstream.withLock { $0.take() } }

    @usableFromInline
    func dispose() {
        guard gate.close() else { return }
        // Before the subscription there is nothing to end and only the observer to release.
        if takeDownstream() != nil { return gate.dispose() }
        scheduler.schedule { [gate] in gate.dispose() }
    }

    @usableFromInline
    var isDisposed: Bool { gate.isDisposed }
}
