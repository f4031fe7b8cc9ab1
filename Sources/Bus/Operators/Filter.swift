extension Signal {
    /// The values that satisfy a predicate.
    ///
    /// ```
    /// self        --1---2---3---4--|
    /// filter even ------2-------4--|
    /// ```
    ///
    /// Ends and fails with the source. Holds nothing, speaks on the source's thread.
    @inlinable
    @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> some Signal<Value, Failure> {
        FilterSignal(upstream: self, isIncluded: isIncluded)
    }
}

@frozen
@usableFromInline
struct FilterSignal<Upstream: Signal>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let isIncluded: @Sendable (Value) -> Bool

    @inlinable
    init(upstream: Upstream, isIncluded: @escaping @Sendable (Value) -> Bool) {
        self.upstream = upstream
        self.isIncluded = isIncluded
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(FilterObserver(downstream: observer, isIncluded: isIncluded))
    }
}

@frozen
@usableFromInline
struct FilterObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let isIncluded: @Sendable (Value) -> Bool

    @inlinable
    init(downstream: consuming Downstream, isIncluded: @escaping @Sendable (Value) -> Bool) {
        self.downstream = downstream
        self.isIncluded = isIncluded
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        isIncluded(value) ? downstream.next(value) : downstream.demand
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }
}
