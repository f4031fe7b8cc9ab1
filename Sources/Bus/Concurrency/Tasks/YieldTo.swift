extension Signal where Failure == Never {
    /// Yields each value to the continuation of an `AsyncStream`, and finishes it at the end.
    ///
    /// The stream's buffering policy says how many values may wait and which are lost. `values(limit:overflow:)`,
    /// which makes a sequence of a signal, can slow the source instead, and counts losses. Use this one for a stream
    /// that exists already.
    ///
    /// - Parameters:
    ///   - continuation: of the stream. When the stream is cancelled or dropped, the subscription ends with the next value.
    ///     It is finished when the signal completes, not when the handle is disposed of.
    ///   - lost: called with the number of values that found the stream's buffer, or a queue above, full.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the handle that ends the subscription. It leaves the stream open for others.
    public func yield(
        to continuation: AsyncStream<Value>.Continuation,
        lost: @escaping @Sendable (_ count: Int) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            YieldingObserver(
                continuation: continuation,
                onLoss: lost,
                lease: SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
            )
        )
    }
}

private struct YieldingObserver<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    let continuation: AsyncStream<Value>.Continuation
    let onLoss: @Sendable (Int) -> Void
    let lease: SubscriptionLease
    var isOver = false

    init(
        continuation: AsyncStream<Value>.Continuation,
        onLoss: @escaping @Sendable (Int) -> Void,
        lease: consuming SubscriptionLease
    ) {
        self.continuation = continuation
        self.onLoss = onLoss
        self.lease = lease
    }

    mutating func next(_ value: Value) -> Demand {
        switch continuation.yield(value) {
        case .enqueued: break
        case .dropped: onLoss(1)
        case .terminated: isOver = true
        @unknown default: break
        }
        return demand
    }

    mutating func lost(_ count: Int) { onLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) { continuation.finish() }

    var demand: Demand { isOver ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
