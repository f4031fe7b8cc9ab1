public import Bus

extension NATSConnection {
    /// Sends a message to a stream of JetStream, and waits in the task until the stream has stored it. ``NATSAcknowledgement`` says
    /// what that means when the server's machine fails.
    ///
    /// A connection has at most ``NATSOptions/maxUnacknowledged`` such messages on their way; a further one waits for a slot,
    /// before it is sent. A task that is cancelled waits no longer; the message may be stored all the same.
    ///
    /// After an error it is unknown whether the message is stored, unless the server says that it is not. Sending it again with
    /// the same id stores it once, if the stream has seen the id within its duplicate window, which is 2 minutes by
    /// default.
    ///
    /// - Parameters:
    ///   - message: the message; ``NATSMessage/reply`` is replaced.
    ///   - id: tells the stream that a message is the same as an earlier one.
    ///   - timeout: how long to wait for the acknowledgement, from when the message has a slot.
    /// - Throws: ``NATSError``, with ``NATSError/Reason-swift.enum/noStream`` when no stream stores the subject and
    ///   ``NATSError/Reason-swift.enum/jetStream(code:text:)`` when the stream refuses the message; `CancellationError`.
    public func publishAcknowledged(
        _ message: NATSMessage,
        id: String? = nil,
        timeout: Duration = .seconds(5)
    ) async throws -> NATSAcknowledgement {
        let answer = try await Waiter.answer { core.store(message, id: id, timeout, $0) }
        return try core.acknowledgement(of: message, answer).get()
    }

    /// The storing of a message by a stream, in the sense of ``NATSAcknowledgement``. Cold: every subscription sends it once, in the order
    /// of the subscriptions.
    ///
    /// ```
    /// stream            -----stored
    /// acknowledgement   -----a|
    /// ```
    ///
    /// - Ends: after the acknowledgement.
    /// - Fails: as ``publishAcknowledged(_:id:timeout:)`` throws.
    /// - Cancelling: stops waiting; the message may be stored all the same.
    /// - Thread: one of the connection's or libnats's; for a timeout that of timers; for a failure before anything is sent the subscribing
    ///   thread, or one that gives back a slot. The observer must be quick; `deliver(on:)` hands it to another.
    public func acknowledgement(
        of message: NATSMessage,
        id: String? = nil,
        timeout: Duration = .seconds(5)
    ) -> some Signal<NATSAcknowledgement, NATSError> {
        Signals.create(of: NATSAcknowledgement.self, failure: NATSError.self, limit: 1) { [core] emitter in
            core.store(message, id: id, timeout) { result in
                switch result.flatMap({ core.acknowledgement(of: message, $0) }) {
                case .success(let acknowledgement):
                    emitter.send(acknowledgement)
                    emitter.complete()
                case .failure(let error): emitter.fail(error)
                }
            }
        }
    }
}

extension NATSCore {
    /// Sends a message to a stream once there is a slot for it.
    func store(
        _ message: NATSMessage,
        id: String?,
        _ timeout: Duration,
        _ answer: @escaping NATSCommand.Answer
    ) -> any Disposable {
        var message = message
        if let id { message.headers["Nats-Msg-Id"] = id }
        let subject = message.subject
        let answerOfStream: NATSCommand.Answer = { result in
            answer(
                result.mapError { [self] error in storingError(error.reason, subject) }
            )
        }
        if let flaw = message.flaw {
            answer(.failure(storingError(.invalid(flaw), subject)))
            return FinishedDisposable()
        }
        let reservation = NATSReservation(slots)
        reservation.start(answerOfStream) { [self, message] answer in request(message, timeout, answer) }
        return reservation
    }

    /// Why a message of a subject is not stored.
    func storingError(_ reason: NATSError.Reason, _ subject: String) -> NATSError {
        // No stream listens to the subject, and nobody else.
        error(reason == .noResponders ? .noStream : reason, "store a message of \"\(subject)\"")
    }

    /// Reads a stream's answer.
    func acknowledgement(of message: NATSMessage, _ answer: NATSMessage) -> Result<NATSAcknowledgement, NATSError> {
        JetStreamAnswer(answer.payload).acknowledgement(answer.text)
            .mapError { storingError($0.reason, message.subject) }
    }
}
