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
/// let asked = bus.request("root", on: .openFiles)
///     .subscribe(next: { print($0) }, failed: { print($0) })
/// ```
///
/// A request is also posted as a value of ``requests``, so that subscribers can watch the requests. Replies are not posted.
public struct RequestTopic<Request: Sendable, Reply: Sendable>: Sendable, Hashable, CustomStringConvertible {
    public let name: TopicName

    /// - Parameter name: a valid ``TopicName``; the program stops otherwise.
    public init(_ name: TopicName) {
        self.name = name
    }

    /// The topic on which the requests are posted, for subscribers that watch them.
    public var requests: Topic<Request> { Topic(name) }

    public var description: String { name.text }
}
