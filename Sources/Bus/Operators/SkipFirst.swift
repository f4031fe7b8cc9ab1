extension Signal {
    /// All but the first `count` values.
    ///
    /// ```
    /// self           --1---2---3---4--|
    /// skip(first: 2) ----------3---4--|
    /// ```
    ///
    /// A count of zero or less skips none. Ends and fails with the source, also while still skipping. Speaks on the
    /// source's thread.
    @inlinable
    @inline(__always)
    public func skip(first count: Int) -> some Signal<Value, Failure> {
        SkipFirstSignal(upstream: self, count: count)
    }
}

@frozen
@usableFromInline
struct SkipFirstSignal<Upstream: Signal>: Signal {
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
        upstream.subscribe(SkipFirstObserver(downstream: observer, remaining: count))
    }
}

@frozen
@usableFromInline
struct SkipFirstObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
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
        guard remaining <= 0 else {
            remaining -= 1
            return downstream.demand
        }
        return downstream.next(value)
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }
}
