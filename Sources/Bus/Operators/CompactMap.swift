extension Signal {
    /// Each value transformed, without the nils.
    ///
    /// ```
    /// self           --"1"---"x"---"3"--|
    /// compactMap Int --1-----------3----|
    /// ```
    ///
    /// Ends and fails with the source. Holds nothing, speaks on the source's thread.
    @inlinable
    @inline(__always)
    public func compactMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output?
    ) -> some Signal<Output, Failure> {
        CompactMapSignal(upstream: self, transform: transform)
    }
}

@frozen
@usableFromInline
struct CompactMapSignal<Upstream: Signal, Value: Sendable>: Signal {
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let transform: @Sendable (Upstream.Value) -> Value?

    @inlinable
    init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Value) -> Value?) {
        self.upstream = upstream
        self.transform = transform
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(CompactMapObserver(downstream: observer, transform: transform))
    }
}

@frozen
@usableFromInline
struct CompactMapObserver<Value: Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let transform: @Sendable (Value) -> Downstream.Value?

    @inlinable
    init(downstream: consuming Downstream, transform: @escaping @Sendable (Value) -> Downstream.Value?) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        guard let output = transform(value) else { return downstream.demand }
        return downstream.next(output)
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }
}
