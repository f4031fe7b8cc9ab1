public import Bus

/// What happens to a link.
public enum LinkNews: Sendable, Hashable {
    /// The link is there. What other programs post from now on is heard.
    case connected(to: BusAddress)
    /// The link is not there, and is being made again. Values that others send meanwhile are missed.
    case disconnected(reason: String)
    /// Values of this program were not sent. Receivers find their numbers missing.
    ///
    /// Values that the bus lost, because several threads posted faster than the link took them, have no numbers, and receivers do not learn of
    /// them. If a pattern is shared, `topic` is the pattern then. The count includes lost values that the link would not have
    /// sent, such as those of other programs.
    case unsent(topic: TopicPattern, count: Int, reason: String)
    /// Values that a sender sent did not come: the numbers before that of the value that came now. A value that comes later is left out.
    case missing(topic: TopicName, count: Int, sender: LinkSender)
    /// Something came that is no value of the topic, and was left out.
    case refused(topic: TopicName, reason: String)
}

extension LinkNews: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connected(let address): "connected to \(address)"
        case .disconnected(let reason): "disconnected: \(reason)"
        case .unsent(let topic, let count, let reason): "\(Self.values(count)) of \(topic) not sent: \(reason)"
        case .missing(let topic, let count, let sender): "\(Self.values(count)) of \(topic) from \(sender) missing"
        case .refused(let topic, let reason): "a value of \(topic) was left out: \(reason)"
        }
    }

    private static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }
}
