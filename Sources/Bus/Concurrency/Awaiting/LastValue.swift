extension Signal {
    /// Subscribes, waits for the end and returns the last value before it.
    ///
    /// The subscription is made on the calling task, and is over, its source released, when this returns.
    ///
    /// - Parameters:
    ///   - actor: where the caller goes on; its own isolation, unless told.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the value; nil when the signal completes without one.
    /// - Throws: ``ReceiveError``, at the first loss too, because the lost value may be the last one. Each error ends
    ///   the subscription.
    public func lastValue(
        isolation actor: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(ReceiveError<Failure>) -> Value? {
        try await awaited(Value?.none, isolation: actor, fileID: fileID, line: line) { last, value in
            last = value
            return .more
        }
    }
}
