extension Signal {
    /// Resumes a continuation with the first value, exactly once: for functions with their own way of waiting.
    ///
    /// ```swift
    /// import Bus
    ///
    /// func next(_ readings: some Signal<Int, Never>) async throws -> Int? {
    ///     try await withCheckedThrowingContinuation { continuation in
    ///         readings.resume(continuation)
    ///     }
    /// }
    /// ```
    ///
    /// `firstValue()` does this and also observes the cancellation of the task that waits; a continuation cannot.
    ///
    /// - Parameter continuation: resumed with the first value, on the thread where the signal sends; with nil when
    ///   the signal completes without one. Otherwise with a ``ReceiveError``: `failed`, `lost` when a loss comes
    ///   before the first value, `abandoned` when the source is dropped or the subscription disposed of.
    /// - Parameters:
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the handle that ends the subscription, and resumes the continuation with ``ReceiveError/abandoned``.
    @discardableResult
    public func resume(
        _ continuation: CheckedContinuation<Value?, any Error>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        let awaited = Waiter<Result<Value?, ReceiveError<Failure>>>()
        awaited.then { continuation.resume(with: $0) }
        let lease = SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
        return subscribe(AwaitingObserver(nil, awaited, lease: lease, Self.keepFirst))
    }
}
