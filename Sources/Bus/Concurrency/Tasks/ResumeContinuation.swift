extension Signal {
    /// Resumes a continuation with the first value, exactly once: for functions that wait in a way of their own.
    ///
    /// ```swift
    /// import Bus
    ///
    /// func next(_ readings: some Signal<Int, Never>) async -> Int? {
    ///     await withCheckedContinuation { continuation in
    ///         readings.resume(continuation)
    ///     }
    /// }
    /// ```
    ///
    /// `firstValue()` does this and heeds the cancellation of the task that waits; a continuation cannot.
    ///
    /// - Parameter continuation: resumed with the first value, on the thread where the signal speaks; with nil when the
    ///   signal completes without one, the subscription is disposed of, or the source is dropped; by throwing when the
    ///   signal fails.
    /// - Parameters:
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the handle that ends the subscription, and resumes the continuation with nil.
    @discardableResult
    public func resume(
        _ continuation: CheckedContinuation<Value?, Failure>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        let once = ResumedOnce(continuation)
        let lease = SubscriptionLease(chain, fileID: fileID, line: line)
        return subscribe(
            ResumingObserver(once: once, lease: lease, hold: AwaitedHold { once.resume(with: .success(nil)) })
        )
    }
}

/// A continuation that may be resumed by whoever comes first.
private final class ResumedOnce<Value: Sendable, Failure: Error>: Sendable {
    private let continuation: Lock<CheckedContinuation<Value?, Failure>?>

    init(_ continuation: CheckedContinuation<Value?, Failure>) {
        self.continuation = Lock(continuation)
    }

    func resume(with result: Result<Value?, Failure>) {
        let waiting = continuation.withLock { held -> CheckedContinuation<Value?, Failure>? in held.take() }
        waiting?.resume(with: result)
    }
}

private struct ResumingObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    let once: ResumedOnce<Value, Failure>
    let lease: SubscriptionLease
    let hold: AwaitedHold
    var isSatisfied = false

    init(once: ResumedOnce<Value, Failure>, lease: consuming SubscriptionLease, hold: AwaitedHold) {
        self.once = once
        self.lease = lease
        self.hold = hold
    }

    mutating func next(_ value: Value) -> Demand {
        once.resume(with: .success(value))
        isSatisfied = true
        return .stop
    }

    mutating func lost(_ count: Int) {}

    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: once.resume(with: .success(nil))
        case .failed(let failure): once.resume(with: .failure(failure))
        }
    }

    var demand: Demand { isSatisfied ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
