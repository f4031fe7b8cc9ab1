extension Signal {
    /// The same events without the reports of losses: for a consumer to which missing values do not matter.
    ///
    /// ```
    /// self          --1--(2 lost)--4--|
    /// ignoreLosses  --1------------4--|
    /// ```
    ///
    /// The operators after it, and `firstValue`, `lastValue`, `collected` and `values()`, hear of losses below this
    /// operator only.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: nothing.
    /// - Thread: the source's.
    @inlinable
    @inline(__always)
    public consuming func ignoreLosses() -> some Signal<Value, Failure> {
        IgnoreLossesSignal(upstream: self)
    }
}

@frozen
@usableFromInline
struct IgnoreLossesSignal<Upstream: Signal>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream

    @inlinable
    init(upstream: Upstream) {
        self.upstream = upstream
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(LossIgnoringObserver(downstream: observer))
    }

    @usableFromInline var chain: Chain { upstream.chain.appending("ignoreLosses") }
}

@frozen
@usableFromInline
struct LossIgnoringObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream

    @inlinable
    init(downstream: consuming Downstream) {
        self.downstream = downstream
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) {}

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
