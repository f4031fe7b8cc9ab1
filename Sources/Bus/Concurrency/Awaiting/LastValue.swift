extension Signal {
    /// Subscribes and waits for the end; answers the last value before it.
    ///
    /// The subscription is made on the calling task, and is over, its source released, when this returns.
    ///
    /// - Parameters:
    ///   - actor: where the caller goes on; its own isolation, unless told.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the value; nil when there was none, the source is dropped without an end, or the task is cancelled while
    ///   it waits, which ends the subscription.
    /// - Throws: the signal's failure.
    public func lastValue(
        isolation actor: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(Failure) -> Value? {
        let outcome = try await awaited(Value?.none, isolation: actor, fileID: fileID, line: line) { last, value in
            last = value
            return .more
        }
        return outcome ?? nil
    }
}
