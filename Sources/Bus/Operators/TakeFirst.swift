extension Signal {
    /// The first `count` values, then completion.
    ///
    /// ```
    /// self           --1---2---3---4--|
    /// take(first: 2) --1---2|
    /// ```
    ///
    /// The source is released before the completion is heard, which follows the last value at once. With a count of
    /// zero or less the source is never subscribed to. Speaks on the source's thread.
    @inlinable
    @inline(__always)
    public func take(first count: Int) -> some Signal<Value, Failure> {
        TakeFirstSignal(upstream: self, count: count)
    }
}

@frozen
@usableFromInline
struct TakeFirstSignal<Upstream: Signal>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let count: Int

    @inlinable
    init(upstream: Upstream, count: Int) {
        self.upstream = upstream
        self.count = count
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard count > 0 else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        return upstream.subscribe(TakeFirstObserver(downstream: observer, remaining: count))
    }
}

@frozen
@usableFromInline
struct TakeFirstObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline var remaining: Int

    @inlinable
    init(downstream: consuming Downstream, remaining: Int) {
        self.downstream = downstream
        self.remaining = remaining
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        guard remaining > 0 else { return .stop }
        remaining -= 1
        let demand = downstream.next(value)
        return remaining == 0 ? .stop : demand
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // All that was asked for has been heard, so what the source says now, even a failure, is not.
        downstream.terminate(remaining == 0 ? .completed : termination)
    }

    @inlinable
    var demand: Demand { remaining == 0 ? .stop : downstream.demand }
}
