extension Signal {
    /// This signal, and when it fails, the signal that `handler` makes from the failure.
    ///
    /// ```
    /// self      --1--2--x
    /// recovery          --a--b--|
    /// catch     --1--2----a--b--|
    /// ```
    ///
    /// When `handler` is called, at most once per subscription, the source has been released. If the source fails
    /// while being subscribed to, `subscribe` has returned by then: however many rounds of `catch` and `repeat`
    /// follow one another, the stack does not grow. To subscribe to the same source again, use ``retry(_:)`` and
    /// ``retry(when:)``: a `catch` inside its own recovery adds one observer for every value.
    ///
    /// - Ends: with the source, or with the recovery.
    /// - Fails: with the recovery, whose failure may be of another type.
    /// - Cancelling: ends the subscription to the one that runs.
    /// - Thread: that of the one that sends; the recovery is subscribed to where the source failed.
    ///
    /// - Parameter handler: makes a signal from a failure.
    @inlinable
    @inline(__always)
    public func `catch`<Recovery: Signal>(
        _ handler: @escaping @Sendable (Failure) -> Recovery
    ) -> some Signal<Value, Recovery.Failure> where Recovery.Value == Value {
        CatchSignal(upstream: self, handler: handler)
    }
}

@frozen
@usableFromInline
struct CatchSignal<Upstream: Signal, Recovery: Signal>: Signal where Recovery.Value == Upstream.Value {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Recovery.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let handler: @Sendable (Upstream.Failure) -> Recovery

    @inlinable
    init(upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> Recovery) {
        self.upstream = upstream
        self.handler = handler
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let handler = handler
        let recovery = CatchRecovery<Upstream.Failure, Downstream> { handler($0).subscribe($1) }
        var observer: Downstream? = observer
        // The recovery of a source that fails while being subscribed to starts in this loop, after it.
        recovery.starts.run {
            if let observer = observer.take() {
                recovery.gate.carry(upstream.subscribe(CatchObserver(observer, recovery)))
            } else {
                recovery.start()
            }
        }
        return recovery.gate
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("catch") }
    @usableFromInline var chain: Chain { upstream.chain.appending("catch") }
}

/// The second half of a `catch`, which waits for a failure. It does not keep the source, which is not needed again.
@usableFromInline
final class CatchRecovery<InputFailure: Error, Downstream: Observer & ~Copyable>: @unchecked Sendable {
    @usableFromInline typealias Subscribe =
        @Sendable (InputFailure, consuming GatedObserver<Downstream>) -> any Disposable

    @usableFromInline let gate = SubscriptionGate()
    @usableFromInline let starts = Trampoline()
    @usableFromInline let subscribe: Subscribe
    // Both are written by the caller that hears the failure and read by the caller that starts the recovery; `starts`
    // puts the two in order.
    @exclusivity(unchecked) @usableFromInline var idle: Downstream?
    @exclusivity(unchecked) @usableFromInline var failure: InputFailure?

    @inlinable
    init(_ subscribe: @escaping Subscribe) {
        self.subscribe = subscribe
    }

    @usableFromInline
    func failed(_ failure: InputFailure, _ downstream: consuming Downstream) {
        self.failure = failure
        idle = consume downstream
        starts.run { start() }
    }

    @usableFromInline
    func start() {
        guard let downstream = idle.take(), let failure = failure.take(), !gate.isDisposed else { return }
        gate.carry(subscribe(failure, GatedObserver(downstream, gate: gate)))
    }
}

@frozen
@usableFromInline
struct CatchObserver<InputFailure: Error, Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline var downstream: Downstream
    @usableFromInline let recovery: CatchRecovery<InputFailure, Downstream>

    @inlinable
    init(_ downstream: consuming Downstream, _ recovery: CatchRecovery<InputFailure, Downstream>) {
        self.downstream = downstream
        self.recovery = recovery
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed:
            if recovery.gate.close() { downstream.terminate(.completed) }
        case .failed(let failure):
            // An observer that wants no more has no use for a recovery.
            if downstream.demand == .stop {
                if recovery.gate.close() { downstream.terminate(.completed) }
            } else {
                recovery.failed(failure, downstream)
            }
        }
    }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
