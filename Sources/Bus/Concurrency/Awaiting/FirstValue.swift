extension Signal {
    /// Subscribes and waits for the first value.
    ///
    /// ```swift
    /// import Bus
    ///
    /// let ready = Signals.just("ready")
    /// let first = await ready.firstValue()
    /// ```
    ///
    /// The subscription is made on the calling task, and is over, its source released, when this returns. Where the
    /// first value is lost above, the first that comes counts.
    ///
    /// - Parameters:
    ///   - actor: where the caller goes on; its own isolation, unless told.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the value; nil when the signal completes without one, its source is dropped without an end, or the task
    ///   is cancelled while it waits, which ends the subscription.
    /// - Throws: the signal's failure, when that comes first.
    public func firstValue(
        isolation actor: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(Failure) -> Value? {
        let outcome = try await awaited(Value?.none, isolation: actor, fileID: fileID, line: line) { first, value in
            // A source that went on after being told to stop would be heard no more.
            if first == nil { first = value }
            return .stop
        }
        return outcome ?? nil
    }
}
