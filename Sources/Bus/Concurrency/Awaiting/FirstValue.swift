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
        try await awaited(Value?.none, isolation: actor, fileID: fileID, line: line, Self.keepFirst)
    }

    /// Ignores values of a source that goes on after being told to stop.
    @Sendable
    static func keepFirst(_ first: inout Value?, _ value: Value) -> Demand {
        if first == nil { first = value }
        return .stop
    }
}

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
    /// - Throws: ``ReceiveError``: when the signal fails, at the first loss (the lost value may be the last one), when the
    ///   task is cancelled, and when the source is dropped without an end. Each error ends the subscription.
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
    /// - Throws: ``ReceiveError``: when the signal fails, at the first loss, when the task is cancelled, and when the source
    ///   is dropped without an end. Each error ends the subscription, and drops the values received until then.
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
    /// - Throws: ``ReceiveError``: when the signal fails, at the first loss, when the task is cancelled, and when the source
    ///   is dropped without an end. Each error ends the subscription, and drops the values received until then.
    public func collectedWithoutLimit(
        isolation actor: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(ReceiveError<Failure>) -> [Value] {
        try await collected(limit: .max, isolation: actor, fileID: fileID, line: line)
    }
}

/// Why a task that waits for values got something else.
///
/// Every form of waiting follows one rule: `firstValue`, `lastValue`, `collected` and the loop over `values()` throw
/// for every event that is neither a value nor the normal end. A caller that accepts losses says so in the chain,
/// with ``Signal/ignoreLosses()``, or gives `values` a `lost` closure.
public enum ReceiveError<Failure: Error>: Error {
    /// The signal failed.
    case failed(Failure)
    /// This many values are missing in this place: they were dropped upstream, because a queue was full.
    case lost(Int)
    /// The waiting task was cancelled. The subscription is over.
    case cancelled
    /// The source was dropped without an end. No value and no end can come any more.
    case abandoned
}

extension ReceiveError: Equatable where Failure: Equatable {}

extension ReceiveError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .failed(let failure): "the signal failed: \(failure)"
        case .lost(1): "1 value was dropped before it could be received, because a queue was full"
        case .lost(let count): "\(count) values were dropped before they could be received, because a queue was full"
        case .cancelled: "the task that waited for the signal was cancelled"
        case .abandoned: "the signal's source was dropped without an end"
        }
    }
}
