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
