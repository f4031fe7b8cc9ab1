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
