public import Bus

extension NATSConnection {
    /// Answers the requests that are sent to a subject, and says which were answered. Cold: each subscription listens.
    ///
    /// ```
    /// requests   --1-----2------
    /// handler    ---reply-reply-
    /// replies    ----1------2---
    /// ```
    ///
    /// The handler runs in a task for each request. An error that it throws is sent as a service's error is in NATS, with the headers
    /// `Nats-Service-Error-Code` and `Nats-Service-Error`: throw a ``NATSServiceError`` to choose the code, which is otherwise
    /// 500. A message that expects no answer is handled too, and not answered; nor is one whose reply subject breaks the rules of
    /// subjects. In place of an answer that is larger than the server takes, or has headers that break their rules, the error 500 is sent.
    ///
    /// - Ends: when the connection is drained.
    /// - Fails: as ``messages(to:inGroup:limit:byteLimit:on:)``; when the connection cannot send an answer.
    /// - Cancelling: takes the subscription back, and cancels the tasks.
    /// - Buffers: at most `limit` requests, and 64 MiB with those that are being handled. Further ones are lost, and counted in their
    ///   place; who asked waits in vain.
    /// - Thread: one of Swift's cooperative pool.
    ///
    /// - Parameters:
    ///   - subject: whose requests are answered; wildcards are allowed.
    ///   - group: a queue group. Of its members, which may be in several processes, one answers each request.
    ///   - maxConcurrent: how many requests are handled at a time.
    ///   - limit: how many requests may wait.
    ///   - handler: makes the answer.
    public func replies(
        to subject: String,
        inGroup group: String? = nil,
        maxConcurrent: Int = 16,
        limit: Int = 1024,
        _ handler: @escaping @Sendable (NATSMessage) async throws -> NATSReply
    ) -> some Signal<NATSMessage, NATSError> {
        // A parcel keeps its share of the memory until its request is handled.
        parcels(to: subject, inGroup: group, limit, 64 << 20)
            .deliver(on: ThreadScheduler.shared, limit: max(64, limit / 2))
            .flatMap(.merge(maxConcurrent: maxConcurrent), limit: limit) { parcel in
                Signals.attempt { [self] () async throws(NATSError) in
                    let request = parcel.read()
                    try await answer(request, handler)
                    return request
                }
            }
    }

    private func answer(
        _ request: NATSMessage,
        _ handler: @Sendable (NATSMessage) async throws -> NATSReply
    ) async throws(NATSError) {
        let reply: NATSReply
        do {
            reply = try await handler(request)
        } catch {
            reply = NATSReply(failure: error)
        }
        // The requester chooses the subject, and what it asks for the size of the answer. Neither may end the service for others.
        guard let subject = request.reply, NATSSubject.flaw(inName: subject) == nil else { return }
        func send(_ reply: NATSReply) async throws(NATSError) {
            try await publish(NATSMessage(subject: subject, headers: reply.headers, payload: reply.payload))
        }
        do throws(NATSError) {
            try await send(reply)
        } catch {
            switch error.reason {
            case .tooLarge, .invalid: try await send(NATSReply(failure: error))
            default: throw error
            }
        }
    }
}
