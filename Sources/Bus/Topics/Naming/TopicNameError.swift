/// Why a text is not a topic name or not a pattern.
public struct TopicNameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text that was refused; at most 255 characters of it.
    public let text: String
    /// A description of the mistake.
    public let reason: String

    init(_ text: String, _ reason: String) {
        self.text = String(text.prefix(TopicName.maximumLength))
        self.reason = reason
    }

    public var description: String { "\(text.debugDescription) is not a topic name: \(reason)" }
}
