extension NotificationBus {
    /// Answers the requests of a topic.
    ///
    /// A topic has one responder on a bus. On a child, a request goes to the child's responder, or else to the responder of
    /// the bus around it.
    ///
    /// - Parameters:
    ///   - topic: the topic of the requests.
    ///   - answer: makes a signal whose first value is the reply. It is called on the requester's thread, and for several
    ///     requests at a time where several threads ask. The requester's subscription disposes of the signal after the reply,
    ///     or when it is disposed of itself.
    /// - Returns: the handle that ends responding. Requests that are being answered are still answered.
    /// - Throws: ``RespondError`` when there is another responder, or the bus is closed.
    public func respond<Request: Sendable, Reply: Sendable, Answer: Signal>(
        to topic: RequestTopic<Request, Reply>,
        with answer: @escaping @Sendable (Request) -> Answer
    ) throws(RespondError) -> any Disposable where Answer.Value == Reply {
        let name = topic.name
        let responder = Responder<Request, Reply>(name) { request in
            answer(request).mapError { RequestError.failed(name, $0) }.eraseToAnySignal()
        }
        guard hub.add(responder) else { throw isClosed ? .closed(name) : .taken(name) }
        return ActionDisposable { [hub] in hub.remove(responder) }
    }

    /// Answers the requests of a topic with an asynchronous function, which runs in a task of its own for each request.
    ///
    /// The task is cancelled when the requester no longer waits. Otherwise as ``respond(to:with:)``.
    public func respond<Request: Sendable, Reply: Sendable>(
        to topic: RequestTopic<Request, Reply>,
        async answer: @escaping @Sendable (Request) async throws -> Reply
    ) throws(RespondError) -> any Disposable {
        try respond(to: topic) { request in Signals.attempt(async: { try await answer(request) }) }
    }

    /// Asks, and hears the reply. Cold: each subscription asks once.
    ///
    /// ```
    /// responder         ------7|
    /// request(_:on:)    ------7|
    /// request(_:on:)    x          (nobody responds)
    /// ```
    ///
    /// `try await bus.request(…).firstValue()` asks from a task.
    ///
    /// - Ends: with the reply.
    /// - Fails: with a ``RequestError``.
    /// - Cancelling: tells the responder that nobody waits, by disposing of its signal.
    /// - Buffers: nothing.
    /// - Thread: the responder's.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - topic: the topic.
    ///   - fileID: the place of the request, for subscribers that watch the topic.
    ///   - line: the same.
    public func request<Request: Sendable, Reply: Sendable>(
        _ request: Request,
        on topic: RequestTopic<Request, Reply>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Reply, RequestError> {
        Signals.deferred { [self] in
            post(request, to: topic.requests, fileID: fileID, line: line)
            return hub.answer(request, on: topic)
        }
        .named("request on \(topic)", fileID: fileID, line: line)
    }
}

extension BusHub {
    fileprivate func answer<Request: Sendable, Reply: Sendable>(
        _ request: Request,
        on topic: RequestTopic<Request, Reply>
    ) -> AnySignal<Reply, RequestError> {
        guard let found = responder(topic.name) ?? parent?.closestResponder(topic.name) else {
            return Signals.fail(RequestError.noResponder(topic.name)).eraseToAnySignal()
        }
        guard let responder = found as? Responder<Request, Reply> else {
            preconditionFailure(
                "requests on \(topic.name) are \(found.types), and not \(Request.self), answered by \(Reply.self)"
            )
        }
        return responder.answer(request).transduced(by: ReplyStep(topic.name)).eraseToAnySignal()
    }

    private func closestResponder(_ name: TopicName) -> AnyResponder? {
        responder(name) ?? parent?.closestResponder(name)
    }
}

/// Passes the first value on, and fails if there is none.
private struct ReplyStep<Reply: Sendable>: Transducer {
    typealias Input = Reply
    typealias InputFailure = RequestError
    let topic: TopicName
    var hasReplied = false

    init(_ topic: TopicName) {
        self.topic = topic
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Reply,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Reply, Downstream.Failure == RequestError {
        hasReplied = true
        _ = downstream.next(value)
        return .stop
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<RequestError>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Reply, Downstream.Failure == RequestError {
        switch termination {
        case .completed where !hasReplied: downstream.terminate(.failed(.noReply(topic)))
        default: downstream.terminate(termination)
        }
    }

    var demand: Demand { hasReplied ? .stop : .more }
    var name: String { "reply" }
}
