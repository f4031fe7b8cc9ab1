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
        let once = ResumedOnce<Value, Failure>(continuation)
        let lease = SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
        return subscribe(
            ResumingObserver(once: once, lease: lease, hold: LastCall { once.resume(with: .failure(.abandoned)) })
        )
    }
}

/// A continuation that several callers may try to resume; the first one does.
private final class ResumedOnce<Value: Sendable, Failure: Error>: Sendable {
    private let continuation: Lock<CheckedContinuation<Value?, any Error>?>

    init(_ continuation: CheckedContinuation<Value?, any Error>) {
        self.continuation = Lock(continuation)
    }

    func resume(with result: Result<Value?, ReceiveError<Failure>>) {
        let waiting = continuation.withLock { held -> CheckedContinuation<Value?, any Error>? in held.take() }
        waiting?.resume(with: result)
    }
}

private struct ResumingObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    let once: ResumedOnce<Value, Failure>
    let lease: SubscriptionLease
    let hold: LastCall
    var isSatisfied = false

    init(once: ResumedOnce<Value, Failure>, lease: consuming SubscriptionLease, hold: LastCall) {
        self.once = once
        self.lease = lease
        self.hold = hold
    }

    mutating func next(_ value: Value) -> Demand {
        once.resume(with: .success(value))
        isSatisfied = true
        return .stop
    }

    mutating func lost(_ count: Int) {
        once.resume(with: .failure(.lost(count)))
        isSatisfied = true
    }

    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: once.resume(with: .success(nil))
        case .failed(let failure): once.resume(with: .failure(.failed(failure)))
        }
    }

    var demand: Demand { isSatisfied ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
