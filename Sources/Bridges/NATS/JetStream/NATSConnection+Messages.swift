public import Bus
import Timers

extension NATSConnection {
    /// The messages of a stream of JetStream, in its order, and what is stored later. Nothing is kept at the server. Cold: each
    /// subscription reads by itself.
    ///
    /// ```
    /// stream     1--2------(3 and 4 are removed)--5
    /// messages   ---1--2--caughtUp-----------------5
    /// ```
    ///
    /// A message that is lost on its way is read again. When the server has forgotten the reader, as after its restart, reading goes
    /// on behind the last message; messages that the stream has removed meanwhile are reported as a gap. In a cluster, reading
    /// waits while there is no leader. If the server says that there is no such stream any more, reading waits 30 seconds for it. A
    /// stream that was made anew is read from its first message, behind a gap of unknown size.
    /// ``NATSStreamItem/caughtUp`` is said once.
    ///
    /// The reader acknowledges what it has heard, so that the server sends no more than it can take. A user who may not publish to
    /// `$JS.ACK.>` reads with a new consumer for every 256 messages, which is slower.
    ///
    /// - Ends: when the connection is drained.
    /// - Fails: as ``messages(to:inGroup:limit:byteLimit:on:)``; when there is no such stream, or none for 30
    ///   seconds after it was there; when the stream is a work queue, whose messages would be taken from its workers.
    /// - Cancelling: ends the reading; the server forgets it.
    /// - Buffers: at most 256 messages and about 64 MiB.
    /// - Pausing: the server stops sending.
    /// - Thread: the scheduler's, or one of Swift's cooperative pool.
    ///
    /// - Parameters:
    ///   - stream: the name of the stream.
    ///   - subject: which of its subjects; nil for all. Wildcards are allowed.
    ///   - start: where to begin.
    ///   - hasHeadersOnly: whether payloads are left out.
    ///   - scheduler: where messages are heard; `bus-events` by default.
    public func messages<S: Scheduler>(
        ofStream stream: String,
        subject: String? = nil,
        from start: NATSStart = .first,
        headersOnly hasHeadersOnly: Bool = false,
        on scheduler: S = ThreadScheduler.shared
    ) -> some Signal<NATSStreamItem, NATSError> {
        Signals.deferred { [self] in
            messages(
                ofStream: stream,
                subject: subject,
                at: NATSStreamPosition(start),
                headersOnly: hasHeadersOnly,
                on: scheduler
            )
        }
        .compactMap { $0 }
    }

    /// The same from a position, which moves with the messages that are heard. Nil stands for a description of the stream: it is there.
    package func messages<S: Scheduler>(
        ofStream stream: String,
        subject: String?,
        at position: NATSStreamPosition,
        headersOnly hasHeadersOnly: Bool = false,
        on scheduler: S
    ) -> some Signal<NATSStreamItem?, NATSError> {
        let reading = NATSStreamReading(stream: stream, subject: subject, hasHeadersOnly: hasHeadersOnly)
        let interruption = core.error(NATSStreamReading.interruption, reading.operation)
        let renewal = core.error(NATSStreamReading.renewal, reading.operation)
        return Signals.deferred { [self] in read(reading, position, scheduler) }
            .retry(backoff: .constant(.milliseconds(1))) { $0 == renewal }
            .retry(backoff: .exponential(from: .milliseconds(10), upTo: .seconds(1))) {
                $0 == interruption || position.outlasts($0.reason, at: MonotonicTime.nanoseconds)
            }
    }

    /// The names of the streams that store a subject, which may have wildcards.
    ///
    /// - Throws: ``NATSError``; `CancellationError` when the task is cancelled.
    public func streams(storing subject: String) async throws -> [String] {
        let operation = "find the stream of \"\(subject)\""
        if let flaw = NATSSubject.flaw(inPattern: subject) { throw core.error(.invalid(flaw), operation) }
        let question = #"{"subject":"\#(NATSConsumer.escaped(subject))"}"#
        let answer: NATSMessage
        do throws(NATSError) {
            answer = try await askJetStream("STREAM.NAMES", question, operation)
        } catch {
            // Of a cancelled task it says that the connection is closed.
            try Task.checkCancellation()
            throw error
        }
        return JetStreamAnswer.texts(named: "streams", in: answer.payload)
    }

    /// The consumer is made behind the subscription to its messages.
    private func read<S: Scheduler>(
        _ reading: NATSStreamReading,
        _ position: NATSStreamPosition,
        _ scheduler: S
    ) -> AnySignal<NATSStreamItem?, NATSError> {
        let inbox = NATSStreamReading.inbox()
        let interruption = core.error(NATSStreamReading.interruption, reading.operation)
        let checked = Signals.attempt { [self] () async throws(NATSError) in try await begin(reading, position) }
        return checked.flatMap(.concat) { [self] beginning -> AnySignal<NATSStreamItem?, NATSError> in
            let order = NATSStreamOrder(
                position,
                isDense: beginning.isDense,
                interruption: interruption,
                renewal: core.error(NATSStreamReading.renewal, reading.operation)
            ) { [core] reply in
                // If it does not arrive, the connection is lost, and so is the consumer.
                core.publish(NATSMessage(subject: reply, payload: Array("+ACK".utf8))) { _ in }
            }
            let messages = messages(
                to: inbox,
                limit: 2 * Int(NATSStreamReading.window),
                byteLimit: 64 << 20,
                on: scheduler
            )
            .ignoreLosses()
            .mapError { NATSError($0.reason, reading.operation, server: $0.server) }
            .timeout(NATSStreamReading.silence, failing: interruption)
            .map { NATSStreamNews.message($0) }
            let creation = Signals.attempt { [self] () async throws(NATSError) in
                let request = reading.creation(
                    from: position.next,
                    to: inbox,
                    isBrief: !position.canAcknowledge
                )
                let answer = try await askJetStream(request, reading.operation)
                return NATSStreamNews.began(pending: JetStreamAnswer.number("num_pending", in: answer.payload) ?? 0)
            }
            .flatMap(.concat) { [self] began in
                // The stream may have been made anew before the consumer was made. The next attempt tells that.
                Signals.attempt { [self] () async throws(NATSError) in
                    let state = try await describe(reading)
                    if !position.isStillThat(made: state.made) { throw interruption }
                }
                .compactMap { nil }
                .prepend(began)
            }
            let events = events(on: scheduler).ignoreLosses().compactMap { reading.news(of: $0) }
            let items = messages.append(.ended).merge(creation).merge(events).transduced(by: order)
                .map { Optional($0) }
            guard let lost = beginning.missing else { return items.prepend(nil).eraseToAnySignal() }
            return items.prepend(.gap(lost: lost.count)).prepend(nil).eraseToAnySignal()
        }
        .eraseToAnySignal()
    }

    /// Asks for the stream.
    private func begin(
        _ reading: NATSStreamReading,
        _ position: NATSStreamPosition
    ) async throws(NATSError) -> NATSStreamState.Beginning {
        if let flaw = reading.flaw { throw core.error(.invalid(flaw), reading.operation) }
        let state = try await describe(reading)
        if state.isWorkQueue {
            let flaw = "the stream is a work queue: reading it would take its messages from its workers"
            throw core.error(.invalid(flaw), reading.operation)
        }
        if position.isAhead(of: state, at: MonotonicTime.nanoseconds) {
            throw core.error(NATSStreamReading.interruption, reading.operation)
        }
        let beginning = state.beginning(
            of: position.next,
            subject: reading.subject,
            isAnother: position.noteMade(state.made)
        )
        position.begin(at: beginning.start, last: state.last)
        return beginning
    }

    private func describe(_ reading: NATSStreamReading) async throws(NATSError) -> NATSStreamState {
        let question = NATSMessage(subject: "$JS.API.STREAM.INFO.\(reading.stream)")
        return NATSStreamState(try await askJetStream(question, reading.operation).payload)
    }
}

extension NATSConnection {
    func askJetStream(
        _ name: String,
        _ question: String,
        _ operation: String
    ) async throws(NATSError) -> NATSMessage {
        try await askJetStream(NATSMessage(subject: "$JS.API.\(name)", payload: Array(question.utf8)), operation)
    }

    /// A request to the server's JetStream.
    ///
    /// - Throws: also when the answer is an error.
    func askJetStream(_ request: NATSMessage, _ operation: String) async throws(NATSError) -> NATSMessage {
        let answer: NATSMessage
        do {
            answer = try await self.request(request.payload, to: request.subject)
        } catch let error as NATSError {
            // Nobody listens for requests to JetStream.
            throw core.error(error.reason == .noResponders ? .noStream : error.reason, operation)
        } catch {
            throw core.error(.closed, operation)
        }
        if let reason = JetStreamAnswer(answer.payload).error { throw core.error(reason, operation) }
        return answer
    }
}
