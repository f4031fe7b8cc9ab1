extension Signal {
    /// This signal as an `AsyncSequence`, to be walked with `for try await`.
    ///
    /// ```swift
    /// import Bus
    ///
    /// for try await reading in Signals.from(1...3).values() {
    ///     print(reading)
    /// }
    /// ```
    ///
    /// Every iteration subscribes anew, when its iterator is made, in the task that makes it. At most `limit` values wait for
    /// the loop, and as many again are under way. By default the source is told to pause when so many wait, and goes on when
    /// they are taken. A source without a thread of its own, such as a sequence, sends on the loop's task: one value whenever
    /// the loop asks for one.
    ///
    /// The loop ends when the signal completes, after the values that wait. It throws a ``ReceiveError`` when the signal
    /// fails, where values are missing, when its task is cancelled, and when the source is dropped without an end. Leaving
    /// the loop, or cancelling its task, ends the subscription.
    ///
    /// A loop that is to go on after a loss uses ``values(limit:overflow:fileID:line:lost:)``. A caller of
    /// ``SignalValues/Iterator/next()`` may also ask again after ``ReceiveError/lost(_:)``, and gets the value behind the gap.
    ///
    /// - Parameters:
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    public func values(
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SignalValues<Value, Failure> {
        SignalValues(limit: limit, overflow: overflow, lost: nil) { [self] buffer in
            let lease = SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
            return subscribe(ValueBufferObserver(buffer, lease: lease))
        }
    }

    /// This signal as an `AsyncSequence` that goes on after a loss. In every other respect it is
    /// ``values(limit:overflow:fileID:line:)``.
    ///
    /// ```swift
    /// import Bus
    ///
    /// func watch(_ readings: some Signal<Int, Never>) async throws {
    ///     let latest = readings.values(limit: 16, overflow: .dropOldest) { print("\($0) readings dropped") }
    ///     for try await reading in latest {
    ///         print(reading)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    ///   - lost: called by the loop's task with the number of values dropped, at the point in the sequence where they
    ///     are missing.
    public func values(
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        lost: @escaping @Sendable (_ count: Int) -> Void
    ) -> SignalValues<Value, Failure> {
        SignalValues(limit: limit, overflow: overflow, lost: lost) { [self] buffer in
            let lease = SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
            return subscribe(ValueBufferObserver(buffer, lease: lease))
        }
    }
}

/// A signal as an `AsyncSequence`; made by `Signal.values(limit:overflow:)`.
public struct SignalValues<Element: Sendable, SignalFailure: Error>: AsyncSequence, Sendable {
    public typealias Failure = ReceiveError<SignalFailure>

    private let limit: Int
    private let overflow: Overflow<SignalFailure>
    private let lost: (@Sendable (Int) -> Void)?
    private let subscribe: @Sendable (ValueBuffer<Element, SignalFailure>) -> any Disposable

    init(
        limit: Int,
        overflow: Overflow<SignalFailure>,
        lost: (@Sendable (Int) -> Void)?,
        subscribe: @escaping @Sendable (ValueBuffer<Element, SignalFailure>) -> any Disposable
    ) {
        self.limit = limit
        self.overflow = overflow
        self.lost = lost
        self.subscribe = subscribe
    }

    /// Subscribes; values wait from now on.
    public func makeAsyncIterator() -> Iterator {
        let buffer = ValueBuffer<Element, SignalFailure>(queue: LossyQueue(limit: limit, overflow: overflow))
        let subscription = buffer.subscribing { subscribe(buffer) }
        return Iterator(buffer: buffer, lease: ScopedDisposable(subscription), lost: lost)
    }

    /// Walks one subscription. Not for use by two tasks.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: ValueBuffer<Element, SignalFailure>
        /// Ends the subscription when the iterator is dropped.
        let lease: ScopedDisposable
        let lost: (@Sendable (Int) -> Void)?

        /// How many values were lost so far, whether or not the loop has come to the point where they are missing.
        /// May be asked anywhere.
        package var lostSoFar: @Sendable () -> Int { { [buffer] in buffer.lost } }

        /// The next value, once there is one. A cancelled task ends the subscription; values that wait are dropped.
        ///
        /// - Parameter actor: where the caller goes on; its own isolation, unless told.
        /// - Returns: the value; nil when the signal has completed.
        /// - Throws: ``ReceiveError``. After ``ReceiveError/lost(_:)`` the next call returns the value behind the gap. Every
        ///   other error is final: later calls throw it again.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ReceiveError<SignalFailure>) -> Element? {
            while true {
                let received = await withTaskCancellationHandler {
                    await buffer.take(isolation: actor)
                } onCancel: { [buffer, lease] in
                    // First, because the disposal drops the observer, which says that the source is gone.
                    buffer.cancel()
                    lease.dispose()
                }
                guard case .failure(.lost(let count)) = received, let lost else { return try received.get() }
                lost(count)
            }
        }

        /// The next value. See ``next(isolation:)``.
        public mutating func next() async throws(ReceiveError<SignalFailure>) -> Element? {
            try await next(isolation: nil)
        }
    }
}
