extension Signal {
    /// The values from the moment at which another signal sends or completes.
    ///
    /// ```
    /// self        --1---2---3---4--|
    /// trigger     --------x
    /// skip(until) ----------3---4--|
    /// ```
    ///
    /// The trigger is subscribed to first, and released when it has fired. (Its completion counts as in ReactiveSwift,
    /// and as for ``take(until:)``; RxSwift needs a value.)
    ///
    /// - Ends: with this signal, also while still skipping.
    /// - Fails: with this signal, also while still skipping; the trigger cannot fail.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: this signal's.
    @inlinable
    @inline(__always)
    public consuming func skip<Trigger: Signal>(
        until trigger: Trigger
    ) -> some Signal<Value, Failure> where Trigger.Failure == Never {
        SkipUntilSignal(upstream: self, trigger: trigger)
    }
}

@frozen
@usableFromInline
struct SkipUntilSignal<Upstream: Signal, Trigger: Signal>: Signal where Trigger.Failure == Never {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let trigger: Trigger

    @inlinable
    init(upstream: Upstream, trigger: Trigger) {
        self.upstream = upstream
        self.trigger = trigger
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let opening = Opening()
        let waiting = SerialDisposable()
        waiting.set(trigger.subscribe(OpeningObserver<Trigger.Value>(opening)))
        let handle = CompoundDisposable()
        handle.add(waiting)
        handle.add(upstream.subscribe(SkippingUntilObserver(observer, opening, waiting)))
        return handle
    }

    @usableFromInline var chain: Chain { upstream.chain.appending("skip(until: \(trigger.chain))") }
}
