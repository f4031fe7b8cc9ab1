extension Signal {
    /// Subscribes with closures.
    ///
    /// The closures run where the signal speaks, one at a time. The subscription lasts until the signal ends or the
    /// returned handle is disposed of; dropping the handle ends nothing (``ScopedDisposable`` does). A failure without
    /// a `failed` closure is ignored.
    ///
    /// - Parameters:
    ///   - next: called for each value.
    ///   - failed: called once if the signal fails.
    ///   - completed: called once if the signal completes.
    /// - Returns: the handle that ends the subscription.
    @inlinable
    @inline(__always)
    @discardableResult
    public func subscribe(
        next: @escaping @Sendable (Value) -> Void = { _ in },
        failed: @escaping @Sendable (Failure) -> Void = { _ in },
        completed: @escaping @Sendable () -> Void = {}
    ) -> any Disposable {
        subscribe(ClosureObserver(onNext: next, onFailed: failed, onCompleted: completed))
    }
}

@frozen
@usableFromInline
struct ClosureObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    @usableFromInline let onNext: @Sendable (Value) -> Void
    @usableFromInline let onFailed: @Sendable (Failure) -> Void
    @usableFromInline let onCompleted: @Sendable () -> Void

    @inlinable
    init(
        onNext: @escaping @Sendable (Value) -> Void,
        onFailed: @escaping @Sendable (Failure) -> Void,
        onCompleted: @escaping @Sendable () -> Void
    ) {
        self.onNext = onNext
        self.onFailed = onFailed
        self.onCompleted = onCompleted
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        onNext(value)
        return .more
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: onCompleted()
        case .failed(let failure): onFailed(failure)
        }
    }

    @inlinable
    var demand: Demand { .more }
}
