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
    /// The task is cancelled when the requester no longer waits. An error that it throws is the requester's
    /// ``RequestError/failed(_:_:)``. Otherwise as ``respond(to:with:)``.
    ///
    /// - Throws: ``RespondError`` when there is another responder, or the bus is closed.
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
    /// request(_:to:)    ------7|
    /// request(_:to:)    x          (nobody responds)
    /// ```
    ///
    /// `try await bus.request(…).firstValue()` asks from a task.
    ///
    /// - Ends: with the reply.
    /// - Fails: with a ``RequestError``.
    /// - Cancelling: tells the responder that nobody waits, by disposing of its signal.
    /// - Thread: the responder's.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - topic: the topic.
    ///   - fileID: the place of the request, for subscribers that watch the topic.
    ///   - line: the same.
    public func request<Request: Sendable, Reply: Sendable>(
        _ request: Request,
        to topic: RequestTopic<Request, Reply>,
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
            fatalError(
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
    static var name: String { "reply" }
}

/// A topic on which one part of a program asks and another answers.
///
/// ```swift
/// import Bus
///
/// extension RequestTopic where Request == String, Reply == Int {
///     static let openFiles = RequestTopic("stats.open-files")
/// }
///
/// let bus = NotificationBus()
/// let responder = try bus.respond(to: .openFiles) { user in Signals.just(user.count) }
/// let asked = bus.request("root", to: .openFiles)
///     .subscribe(next: { print($0) }, failed: { print($0) })
/// ```
///
/// A request is also posted as a value of ``requests``, so that subscribers can watch the requests. Replies are not posted.
public struct RequestTopic<Request: Sendable, Reply: Sendable>: Sendable, Hashable, CustomStringConvertible {
    /// The name on the bus; ``requests`` has the same.
    public let name: TopicName

    /// - Parameter name: a valid ``TopicName``; the program stops otherwise.
    public init(_ name: TopicName) {
        self.name = name
    }

    /// The topic on which the requests are posted, for subscribers that watch them.
    public var requests: Topic<Request> { Topic(name) }

    public var description: String { name.text }
}

/// A responder, whatever the types of its requests and replies.
class AnyResponder: @unchecked Sendable {
    // Immutable, like the properties of the subclass; hence unchecked.
    let name: TopicName

    init(_ name: TopicName) {
        self.name = name
    }

    /// The types of requests and replies, for messages.
    var types: String { "" }
}

final class Responder<Request: Sendable, Reply: Sendable>: AnyResponder, @unchecked Sendable {
    let answer: @Sendable (Request) -> AnySignal<Reply, RequestError>

    init(_ name: TopicName, _ answer: @escaping @Sendable (Request) -> AnySignal<Reply, RequestError>) {
        self.answer = answer
        super.init(name)
    }

    override var types: String { "\(Request.self), answered by \(Reply.self)" }
}

/// Why a request has no reply.
public enum RequestError: Error, Sendable, CustomStringConvertible {
    /// Nobody responds to the topic.
    case noResponder(TopicName)
    /// The responder failed.
    case failed(TopicName, any Error)
    /// The responder completed without a reply.
    case noReply(TopicName)
    /// The reply did not come in time.
    case timedOut(TopicName, after: Duration)

    public var description: String {
        switch self {
        case .noResponder(let topic): "nobody responds to requests on \(topic)"
        case .failed(let topic, let error): "the request on \(topic) failed: \(error)"
        case .noReply(let topic): "the responder of \(topic) gave no reply"
        case .timedOut(let topic, let time): "no reply on \(topic) within \(time)"
        }
    }
}

/// Why a responder was refused.
public enum RespondError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another responds to the topic on this bus.
    case taken(TopicName)
    /// The bus is closed.
    case closed(TopicName)

    public var description: String {
        switch self {
        case .taken(let topic): "requests on \(topic) have a responder already"
        case .closed(let topic): "nobody can respond to requests on \(topic): the bus is closed"
        }
    }
}
