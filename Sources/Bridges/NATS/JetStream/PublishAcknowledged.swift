public import Bus

extension Signal where Value == NATSMessage, Failure == NATSError {
    /// Sends each message to a stream of JetStream, in order, and says when it is stored, in the sense of ``NATSAcknowledgement``.
    ///
    /// ```
    /// self                           --m1--m2------|
    /// stream                         ---m1--m2
    /// publishAcknowledged(over:)     ------a1--a2--|
    /// ```
    ///
    /// Acknowledgements are heard in the order in which they come, which may be another than that of the messages.
    ///
    /// - Ends: with the source, when all is stored.
    /// - Fails: with the source; when a message cannot be stored, as ``NATSConnection/publishAcknowledged(_:id:timeout:)`` throws.
    ///   Messages that are on their way then may be stored.
    /// - Cancelling: stops; messages that are on their way may be stored.
    /// - Pausing: nothing more is sent once the acknowledgements fill the queues.
    /// - Buffers: at most `maxPending` messages are on their way, `limit` wait for a slot, and as many are being sent. At most
    ///   six times `maxPending` acknowledgements wait for the observer. The source is told to pause then; one that cannot loses what
    ///   it sends, and the loss is counted in its place.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - connection: over which it is sent.
    ///   - maxPending: how many messages may be on their way, at most 512.
    ///   - limit: how many messages may wait.
    ///   - timeout: how long to wait for each acknowledgement. A message that none was acknowledged behind has as long again after
    ///     each acknowledgement: a server that is slow, but goes on, is waited for.
    ///   - scheduler: where acknowledgements are heard; `bus-events` by default.
    ///   - id: tells the stream that a message is the same as an earlier one.
    @inlinable
    public func publishAcknowledged<S: Scheduler>(
        over connection: NATSConnection,
        maxPending: Int = 256,
        limit: Int = 1024,
        timeout: Duration = .seconds(5),
        on scheduler: S = ThreadScheduler.shared,
        id: @escaping @Sendable (NATSMessage) -> String? = { _ in nil }
    ) -> some Signal<NATSAcknowledgement, NATSError> {
        let pending = Swift.max(1, Swift.min(maxPending, 512))
        return map { message in
            guard let id = id(message) else { return NATSStorable(tag: 0, message) }
            var message = message
            message.headers["Nats-Msg-Id"] = id
            return NATSStorable(tag: 0, message)
        }
        .receipts(over: connection, maxPending: pending, limit: limit, timeout: timeout) { _ in false }
        .compactMap { receipt in if case .stored(_, let acknowledgement) = receipt { acknowledgement } else { nil } }
        .deliver(on: scheduler, limit: 2 * pending)
    }
}

extension Signal where Value == NATSStorable, Failure == NATSError {
    /// Stores each message in a stream, in order, and says what became of it, on the threads of the connection. The observer must be
    /// quick. ``Signal/publishAcknowledged(over:maxPending:limit:timeout:on:id:)`` says the rest.
    ///
    /// - Parameter leavesOut: whether a message that cannot be stored is left out. Otherwise the signal fails.
    @usableFromInline
    package func receipts(
        over connection: NATSConnection,
        maxPending: Int,
        limit: Int,
        timeout: Duration,
        leavesOut: @escaping @Sendable (NATSError.Reason) -> Bool
    ) -> AnySignal<NATSReceipt, NATSError> {
        // The connection's thread takes all messages that wait at once, and sends them one after the other.
        let messages = deliver(on: connection.worker, limit: limit)
        return Signals.create(of: NATSReceipt.self, failure: NATSError.self, limit: 2 * maxPending) { emitter in
            let storing = NATSStoring(
                connection,
                emitter,
                maxPending: maxPending,
                timeout: timeout,
                leavesOut: leavesOut
            )
            let running = CompoundDisposable()
            running.add(messages.subscribe(NATSStoringObserver(storing)))
            running.add(storing.handle)
            return running
        }
        .eraseToAnySignal()
    }
}

extension Signal where Value == NATSMessage, Failure == Never {
    /// Sends each message to a stream. See the same of a signal that may fail.
    @inlinable
    public func publishAcknowledged<S: Scheduler>(
        over connection: NATSConnection,
        maxPending: Int = 256,
        limit: Int = 1024,
        timeout: Duration = .seconds(5),
        on scheduler: S = ThreadScheduler.shared,
        id: @escaping @Sendable (NATSMessage) -> String? = { _ in nil }
    ) -> some Signal<NATSAcknowledgement, NATSError> {
        promoteFailure(to: NATSError.self)
            .publishAcknowledged(
                over: connection,
                maxPending: maxPending,
                limit: limit,
                timeout: timeout,
                on: scheduler,
                id: id
            )
    }
}
