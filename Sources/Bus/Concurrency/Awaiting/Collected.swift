extension Signal {
    /// Subscribes, waits for the end and returns all values.
    ///
    /// It holds at most `limit` values, and ends the subscription when it has them.
    /// The subscription is made on the calling task, and is over, its source released, when this returns.
    ///
    /// - Parameters:
    ///   - limit: the number of values that is enough.
    ///   - actor: where the caller goes on; its own isolation, unless told.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the values; none when the signal completes without one.
    /// - Throws: ``ReceiveError``, at the first loss too; values received until then are dropped. Each error ends the
    ///   subscription.
    public func collected(
        limit: Int,
        isolation actor: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(ReceiveError<Failure>) -> [Value] {
        guard limit > 0 else { return [] }
        return try await awaited([Value](), isolation: actor, fileID: fileID, line: line) { values, value in
            if values.count < limit { values.append(value) }
            return values.count < limit ? .more : .stop
        }
    }

    /// Subscribes, waits for the end and returns all values, however many there are. Use it only for a source that is
    /// known to end soon: a source that does not end takes all memory. In every other respect it is
    /// ``collected(limit:isolation:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - actor: where the caller goes on; its own isolation, unless told.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the values; none when the signal completes without one.
    /// - Throws: ``ReceiveError``, at the first loss too; values received until then are dropped. Each error ends the
    ///   subscription.
    public func collectedWithoutLimit(
        isolation actor: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(ReceiveError<Failure>) -> [Value] {
        try await collected(limit: .max, isolation: actor, fileID: fileID, line: line)
    }
}
