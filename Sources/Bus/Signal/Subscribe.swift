extension Signal {
    /// Subscribes with closures.
    ///
    /// The closures run where the signal sends, one at a time. The subscription lasts until the signal ends or the
    /// returned handle is disposed of. Dropping the handle does not end it: keep the handle, put it into a
    /// ``CompoundDisposable`` with `store(in:)`, or write `_ =` where the signal ends by itself. A
    /// ``ScopedDisposable`` ends what is stored in it when it is dropped. Overwriting a variable with another handle ends
    /// nothing either; ``SerialDisposable/set(_:)`` ends the subscription whose handle it replaces.
    ///
    /// The closures may not touch state that is isolated to an actor. For that, use
    /// ``subscribeOnMain(limit:overflow:next:failed:completed:lost:fileID:line:)`` and
    /// ``subscribe(isolatedTo:limit:overflow:next:failed:completed:lost:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - next: called for each value.
    ///   - failed: called once if the signal fails.
    ///   - completed: called once if the signal completes.
    ///   - lost: called with the number of values dropped upstream, at the point in the sequence where they are
    ///     missing. Without it, they are counted in ``Subscriptions/unheardLosses``.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the handle that ends the subscription.
    @inlinable
    @inline(__always)
    public func subscribe(
        next: @escaping @Sendable (Value) -> Void,
        failed: @escaping @Sendable (Failure) -> Void,
        completed: @escaping @Sendable () -> Void = {},
        lost: @escaping @Sendable (_ count: Int) -> Void = Subscriptions.countUnheardLoss,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            ClosureObserver(
                onNext: next,
                onFailed: failed,
                onCompleted: completed,
                onLoss: lost,
                lease: SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
            )
        )
    }
}

extension Signal {
    // Chosen when a signal that can fail is subscribed to without `failed`. It exists for its message.
    @available(
        *,
        unavailable,
        message:
            "this signal can fail: add a `failed` closure, or handle failures before, with `catch`, `retry` or `replaceError`"
    )
    public func subscribe(
        next: @escaping @Sendable (Value) -> Void = { _ in },
        completed: @escaping @Sendable () -> Void = {},
        lost: @escaping @Sendable (_ count: Int) -> Void = { _ in },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        FinishedDisposable()
    }
}

extension Signal where Failure == Never {
    /// Subscribes to a signal that cannot fail. See ``subscribe(next:failed:completed:lost:fileID:line:)``.
    @inlinable
    @inline(__always)
    public func subscribe(
        next: @escaping @Sendable (Value) -> Void = { _ in },
        completed: @escaping @Sendable () -> Void = {},
        lost: @escaping @Sendable (_ count: Int) -> Void = Subscriptions.countUnheardLoss,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            ClosureObserver(
                onNext: next,
                onFailed: { _ in },
                onCompleted: completed,
                onLoss: lost,
                lease: SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
            )
        )
    }
}

@frozen
@usableFromInline
struct ClosureObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    @usableFromInline let onNext: @Sendable (Value) -> Void
    @usableFromInline let onFailed: @Sendable (Failure) -> Void
    @usableFromInline let onCompleted: @Sendable () -> Void
    @usableFromInline let onLoss: @Sendable (Int) -> Void
    @usableFromInline let lease: SubscriptionLease

    @inlinable
    init(
        onNext: @escaping @Sendable (Value) -> Void,
        onFailed: @escaping @Sendable (Failure) -> Void,
        onCompleted: @escaping @Sendable () -> Void,
        onLoss: @escaping @Sendable (Int) -> Void,
        lease: consuming SubscriptionLease
    ) {
        self.onNext = onNext
        self.onFailed = onFailed
        self.onCompleted = onCompleted
        self.onLoss = onLoss
        self.lease = lease
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        onNext(value)
        return .more
    }

    @inlinable
    mutating func lost(_ count: Int) { onLoss(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: onCompleted()
        case .failed(let failure): onFailed(failure)
        }
    }

    @inlinable
    var demand: Demand { .more }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }
}
