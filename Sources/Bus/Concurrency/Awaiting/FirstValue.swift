extension Signal {
    /// Subscribes and waits for the first value.
    ///
    /// ```swift
    /// import Bus
    ///
    /// let ready = Signals.just("ready")
    /// let first = try await ready.firstValue()
    /// ```
    ///
    /// The subscription is made on the calling task, and is over, its source released, when this returns.
    ///
    /// - Parameters:
    ///   - actor: where the caller goes on; its own isolation, unless told.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the value; nil when the signal completes without one.
    /// - Throws: ``ReceiveError``, when another event comes first: a failure, a loss, the task's cancellation, or the
    ///   drop of the source without an end of the signal. Each error ends the subscription.
    public func firstValue(
        isolation actor: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(ReceiveError<Failure>) -> Value? {
        try await awaited(Value?.none, isolation: actor, fileID: fileID, line: line) { first, value in
            // Ignores values of a source that goes on after being told to stop.
            if first == nil { first = value }
            return .stop
        }
    }
}
