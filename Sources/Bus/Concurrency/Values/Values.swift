extension Signal {
    /// This signal as an `AsyncSequence`, to be walked with `for await`.
    ///
    /// Every iteration subscribes anew, when its iterator is made, in the task that makes it. At most `limit` values wait for
    /// the loop, and as many again are under way. By default the source is told to pause when so many wait, and goes on when
    /// they are taken. One that has no thread of its own, such as a sequence, sends on the loop's task, a value whenever the loop
    /// asks for one. Values that are lost are counted in ``SignalValues/Iterator/lost``.
    ///
    /// The loop ends when the signal completes, throws when it fails, and ends when its task is cancelled or the source is
    /// dropped without an end. Leaving the loop, or cancelling, ends the subscription.
    public func values(
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SignalValues<Self> {
        SignalValues(signal: self, queue: HandoverQueue(limit: limit, overflow: overflow), fileID: fileID, line: line)
    }
}

/// A signal as an `AsyncSequence`; made by `Signal.values(limit:overflow:)`.
public struct SignalValues<Source: Signal>: AsyncSequence, Sendable {
    public typealias Element = Source.Value
    public typealias Failure = Source.Failure

    let signal: Source
    let queue: HandoverQueue<Element, Failure>
    let fileID: StaticString
    let line: UInt

    /// Subscribes; values wait from now on.
    public func makeAsyncIterator() -> Iterator {
        let buffer = ValueBuffer(queue: queue)
        let subscription = buffer.subscribing {
            let lease = SubscriptionLease(signal.chain, fileID: fileID, line: line)
            return signal.subscribe(ValueBufferObserver(buffer, lease: lease))
        }
        return Iterator(buffer: buffer, lease: ScopedDisposable(subscription))
    }

    /// Walks one subscription. Not for use by two tasks.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: ValueBuffer<Element, Failure>
        /// Ends the subscription when the iterator is dropped.
        let lease: ScopedDisposable

        /// How many values were lost so far because the queue was full.
        public var lost: Int { buffer.lost }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(Failure) -> Element? {
            let result = await withTaskCancellationHandler {
                await buffer.take(isolation: actor)
            } onCancel: { [buffer, lease] in
                lease.dispose()
                buffer.cancel()
            }
            switch result {
            case .next(let value): return value
            case .completed: return nil
            case .failed(let failure): throw failure
            }
        }

        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }
    }
}
