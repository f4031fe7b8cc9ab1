extension Task where Success: Sendable {
    /// The value that a task returns, or the error it throws, as a signal. Hot: the task runs whether or not anybody
    /// listens.
    ///
    /// ```
    /// the task       -----returns 1
    /// outcome        -----1|
    /// late                    ^1|
    /// ```
    ///
    /// - Ends: after the value; for a task that is over, at once, but not during `subscribe`.
    /// - Fails: with the task's error, a `CancellationError` too.
    /// - Cancelling: releases the task, which runs on; with `cancelling` it is cancelled. While the task runs, a
    ///   helper task that waits for it stays behind.
    /// - Thread: one of Swift's cooperative pool.
    ///
    /// - Parameter cancelling: whether a subscription that is disposed of, or an observer that wants no more, cancels the
    ///   task, also for others who wait for it.
    public func outcome(cancelling: Bool = false) -> some Signal<Success, Failure> where Failure == any Error {
        OutcomeSignal(task: self, cancels: cancelling) { () throws(any Error) in try await self.value }
    }

    /// The value that a task that cannot fail returns, as a signal. See ``outcome(cancelling:)``.
    public func outcome(cancelling: Bool = false) -> some Signal<Success, Never> where Failure == Never {
        OutcomeSignal(task: self, cancels: cancelling) { () throws(Never) in await self.value }
    }
}

/// Waits for a task in another one, for each subscription.
struct OutcomeSignal<Value: Sendable, Failure: Error>: Signal {
    let task: Task<Value, Failure>
    let cancels: Bool
    let value: @Sendable () async throws(Failure) -> Value

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let work = TaskSignal<Value, Failure>(name: "task") { [value] send throws(Failure) in
            _ = await send(try await value())
        }
        let handle = work.subscribe(observer)
        return cancels ? CancellingDisposable(wrapped: handle, task: task) : handle
    }

    var chain: Chain { Chain(source: "task") }
}

private struct CancellingDisposable<Value: Sendable, Failure: Error>: Disposable {
    let wrapped: any Disposable
    let task: Task<Value, Failure>

    func dispose() {
        guard !wrapped.isDisposed else { return }
        wrapped.dispose()
        task.cancel()
    }

    var isDisposed: Bool { wrapped.isDisposed }
}
