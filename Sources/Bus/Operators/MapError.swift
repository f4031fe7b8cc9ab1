extension Signal {
    /// This signal with its failure turned into another.
    ///
    /// ```
    /// self     --1---2--x
    /// mapError --1---2--y
    /// ```
    ///
    /// Values and completion pass unchanged. Holds nothing, speaks on the source's thread.
    @inlinable
    @inline(__always)
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> some Signal<Value, NewFailure> {
        MapErrorSignal(upstream: self, transform: transform)
    }
}

@frozen
@usableFromInline
struct MapErrorSignal<Upstream: Signal, Failure: Error>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline let upstream: Upstream
    @usableFromInline let transform: @Sendable (Upstream.Failure) -> Failure

    @inlinable
    init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Failure) -> Failure) {
        self.upstream = upstream
        self.transform = transform
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(MapErrorObserver(downstream: observer, transform: transform))
    }
}

@frozen
@usableFromInline
struct MapErrorObserver<Failure: Error, Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline var downstream: Downstream
    @usableFromInline let transform: @Sendable (Failure) -> Downstream.Failure

    @inlinable
    init(downstream: consuming Downstream, transform: @escaping @Sendable (Failure) -> Downstream.Failure) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: downstream.terminate(.completed)
        case .failed(let failure): downstream.terminate(.failed(transform(failure)))
        }
    }

    @inlinable
    var demand: Demand { downstream.demand }
}
