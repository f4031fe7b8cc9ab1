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
