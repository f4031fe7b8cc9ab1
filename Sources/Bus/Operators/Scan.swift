extension Signal {
    /// Each value folded into what came before, and every intermediate result sent.
    ///
    /// ```
    /// self        --1---2---3--|
    /// scan(0, +)  --1---3---6--|
    /// ```
    ///
    /// The initial result itself is not sent; every subscription starts from it anew. Ends and fails with the source.
    /// Holds the last result, speaks on the source's thread.
    @inlinable
    @inline(__always)
    public func scan<Result: Sendable>(
        _ initial: Result,
        _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> some Signal<Result, Failure> {
        ScanSignal(upstream: self, initial: initial, combine: combine)
    }
}

@frozen
@usableFromInline
struct ScanSignal<Upstream: Signal, Value: Sendable>: Signal {
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let initial: Value
    @usableFromInline let combine: @Sendable (Value, Upstream.Value) -> Value

    @inlinable
    init(upstream: Upstream, initial: Value, combine: @escaping @Sendable (Value, Upstream.Value) -> Value) {
        self.upstream = upstream
        self.initial = initial
        self.combine = combine
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(ScanObserver(downstream: observer, result: initial, combine: combine))
    }
}

@frozen
@usableFromInline
struct ScanObserver<Value: Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline var result: Downstream.Value
    @usableFromInline let combine: @Sendable (Downstream.Value, Value) -> Downstream.Value

    @inlinable
    init(
        downstream: consuming Downstream,
        result: Downstream.Value,
        combine: @escaping @Sendable (Downstream.Value, Value) -> Downstream.Value
    ) {
        self.downstream = downstream
        self.result = result
        self.combine = combine
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        result = combine(result, value)
        return downstream.next(result)
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }
}
