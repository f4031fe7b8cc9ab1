public import Bus

extension NATSConnection {
    /// Handles the messages of a stream of JetStream, at least once each, and says which were handled. Cold: each subscription
    /// consumes.
    ///
    /// ```
    /// stream    --1-----2----------------
    /// handler   ---ok----throws---ok------    (2 is sent again)
    /// server    -----ack-------nak-----ack
    /// consume   -----1-----------------2--
    /// ```
    ///
    /// The consumer is made if it is not there. A message is acknowledged when the handler has returned, also if the subscription has
    /// ended meanwhile. Messages that the handler has published over this connection are sent before. The next message does not wait
    /// for the acknowledgement to be sent. If the handler throws, the server is asked to send the message again after
    /// ``NATSConsumer/redeliverAfter``. So it does, too, when the acknowledgement does not come in time or this process ends; then a
    /// message may be handled twice. "At least once" holds for messages that the stream keeps: after a power failure of the server's machine
    /// it may lack those of the last two minutes; see ``NATSAcknowledgement``.
    ///
    /// The server sends at most ``NATSConsumer/maxUnacknowledged`` messages that are not acknowledged, and then waits: a slow
    /// handler slows it down, and nothing is lost. ``NATSConsumer/acknowledgeWithin`` is the time for all of them to be handled. A message
    /// that comes while 64 MiB wait is left out and counted as lost; the server sends it again after that time, as often as
    /// ``NATSConsumer/maxDeliveries`` allows. Let few large messages be unacknowledged.
    ///
    /// - Ends: when the connection is drained.
    /// - Fails: as ``messages(to:inGroup:limit:byteLimit:on:)``; when there is no such stream, or a consumer with this
    ///   name and other settings than its ``NATSConsumer/start`` that the server cannot change; when an acknowledgement cannot be
    ///   sent, as while the connection is drained. Its message then comes again.
    /// - Cancelling: takes the subscription back, and cancels the tasks. The consumer stays at the server.
    /// - Buffers: at most twice as many messages as may be unacknowledged, because acknowledgements may be on their way, and 64 MiB.
    /// - Pausing: no handler is started while the observer pauses.
    /// - Thread: one of Swift's cooperative pool.
    ///
    /// - Parameters:
    ///   - consumer: which messages.
    ///   - maxConcurrent: how many are handled at a time. With 1 they are handled in the order of the stream, but for those
    ///     that are sent again.
    ///   - failed: called with what the handler threw, on its thread.
    ///   - handler: returns when the message need not be sent again.
    @inlinable
    public func consume(
        _ consumer: NATSConsumer,
        maxConcurrent: Int = 1,
        failed: @escaping @Sendable (NATSDelivery, any Error) -> Void,
        _ handler: @escaping @Sendable (NATSDelivery) async throws -> Void
    ) -> some Signal<NATSDelivery, NATSError> {
        // No more are handled at a time than may be unacknowledged.
        let limit = 2 * max(1, min(maxConcurrent, consumer.window))
        return Signals.create(of: NATSDelivery.self, failure: NATSError.self, limit: limit) { [self] emitter in
            handle(consumer, emitter, maxConcurrent: maxConcurrent, failed: failed, handler)
        }
    }

    @usableFromInline
    func handle(
        _ consumer: NATSConsumer,
        _ emitter: Emitter<NATSDelivery, NATSError>,
        maxConcurrent: Int,
        failed: @escaping @Sendable (NATSDelivery, any Error) -> Void,
        _ handler: @escaping @Sendable (NATSDelivery) async throws -> Void
    ) -> any Disposable {
        let consuming = NATSConsuming(
            core,
            emitter,
            consumer,
            maxConcurrent: maxConcurrent,
            failed: failed,
            handler
        )
        consuming.start(by: Signals.attempt { [self] () async throws(NATSError) in try await create(consumer) })
        return consuming
    }

    private func create(_ consumer: NATSConsumer) async throws(NATSError) {
        if let flaw = consumer.flaw { throw core.error(.invalid(flaw), consumer.operation) }
        do throws(NATSError) {
            _ = try await askJetStream(consumer.creation(from: consumer.start.settings), consumer.operation)
        } catch {
            // The server compares the beginning, too, though a consumer that it has goes on from its position.
            guard error.reason.isOfConsumer, let start = await start(of: consumer) else { throw error }
            _ = try await askJetStream(consumer.creation(from: start), consumer.operation)
        }
    }

    /// The beginning of a consumer that the server has, as settings; nil if it has none, or does not say.
    private func start(of consumer: NATSConsumer) async -> String? {
        do throws(NATSError) {
            let question = "CONSUMER.INFO.\(consumer.stream).\(consumer.name)"
            return NATSConsumer.start(in: try await askJetStream(question, "", consumer.operation).payload)
        } catch {
            return nil
        }
    }
}

extension NATSError.Reason {
    /// Whether the server may have a consumer with the name and other settings.
    fileprivate var isOfConsumer: Bool {
        switch self {
        case .jetStream(code: 10012, _), .jetStream(code: 10148, _): true
        default: false
        }
    }
}
