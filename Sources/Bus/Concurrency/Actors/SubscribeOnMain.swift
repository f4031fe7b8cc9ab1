extension Signal {
    /// Subscribes with closures that run on the main actor.
    ///
    /// ```swift
    /// import Bus
    ///
    /// @MainActor final class Dashboard {
    ///     var load = 0.0
    ///     let subscriptions = CompoundDisposable()
    ///
    ///     func follow(_ loads: some Signal<Double, Never>) {
    ///         loads.subscribeOnMain(next: { [weak self] in self?.load = $0 }).store(in: subscriptions)
    ///     }
    /// }
    /// ```
    ///
    /// The closures may use state that is isolated to the main actor, without `await`. Events come in order, one at a
    /// time, and as many as have gathered come in one visit to the main actor: there is no task for each event. A
    /// value is never heard inside `subscribeOnMain`, also when it is called on the main actor.
    ///
    /// Between the signal and the main actor is a queue of at most `limit` values. When it is full, the source is told to
    /// pause. A source that cannot pause loses values, and `lost` is told how many.
    ///
    /// After a disposal on the main actor nothing is heard; after one elsewhere, at most the event in flight.
    ///
    /// - Parameters:
    ///   - limit: how many values may wait; at least one does. As many again may be under way.
    ///   - overflow: what happens to a value when the queue is full.
    ///   - next: called for each value.
    ///   - failed: called once if the signal fails.
    ///   - completed: called once if the signal completes.
    ///   - lost: called with the number of values dropped upstream, at the point in the sequence where they are
    ///     missing. Without it, they are counted in ``Subscriptions/unheardLosses``.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the handle that ends the subscription.
    public func subscribeOnMain(
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        next: @escaping @MainActor @Sendable (Value) -> Void,
        failed: @escaping @MainActor @Sendable (Failure) -> Void,
        completed: @escaping @MainActor @Sendable () -> Void = {},
        lost: @escaping @MainActor @Sendable (_ count: Int) -> Void = { Subscriptions.countUnheardLoss($0) },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            isolatedTo: MainActor.shared,
            limit: limit,
            overflow: overflow,
            next: { _, value in MainActor.assumeIsolated { next(value) } },
            failed: { _, failure in MainActor.assumeIsolated { failed(failure) } },
            completed: { _ in MainActor.assumeIsolated { completed() } },
            lost: { _, count in MainActor.assumeIsolated { lost(count) } },
            fileID: fileID,
            line: line
        )
    }
}

extension Signal where Failure == Never {
    /// Subscribes to a signal that cannot fail, with closures that run on the main actor. See
    /// ``subscribeOnMain(limit:overflow:next:failed:completed:lost:fileID:line:)``.
    public func subscribeOnMain(
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        next: @escaping @MainActor @Sendable (Value) -> Void = { _ in },
        completed: @escaping @MainActor @Sendable () -> Void = {},
        lost: @escaping @MainActor @Sendable (_ count: Int) -> Void = { Subscriptions.countUnheardLoss($0) },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribeOnMain(
            limit: limit,
            overflow: overflow,
            next: next,
            failed: { _ in },
            completed: completed,
            lost: lost,
            fileID: fileID,
            line: line
        )
    }
}
