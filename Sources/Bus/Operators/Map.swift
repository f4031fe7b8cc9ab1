extension Signal {
    /// Each value transformed.
    ///
    /// ```
    /// self    --1---2---3--|
    /// map ×10 --10--20--30-|
    /// ```
    ///
    /// Ends and fails with the source. Holds nothing, speaks on the source's thread.
    @inlinable
    @inline(__always)
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> some Signal<Output, Failure> {
        MapSignal(upstream: self, transform: transform)
    }
}

@frozen
@usableFromInline
struct MapSignal<Upstream: Signal, Value: Sendable>: Signal {
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let transform: @Sendable (Upstream.Value) -> Value

    @inlinable
    init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Value) -> Value) {
        self.upstream = upstream
        self.transform = transform
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(MapObserver(downstream: observer, transform: transform))
    }
}

@frozen
@usableFromInline
struct MapObserver<Value: Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let transform: @Sendable (Value) -> Downstream.Value

    @inlinable
    init(downstream: consuming Downstream, transform: @escaping @Sendable (Value) -> Downstream.Value) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(transform(value)) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }
}
