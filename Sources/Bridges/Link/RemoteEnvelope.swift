public import Bus
public import Records

/// A value that came over a link, and what its sender says of it.
public struct RemoteEnvelope<Value: Sendable>: Sendable {
    /// The topic that it was sent on; where a pattern is shared, one that matches it.
    public let topic: TopicName
    /// The value, decoded from JSON as the type that this program declared.
    public let value: Value
    /// Which link sent it.
    public let sender: LinkSender
    /// Its number among the values that the sender has sent on the topic. The first has number 1.
    public let sequence: UInt64
    /// When it was posted, by the clock of the sender's machine.
    public let time: RecordTime
    /// The file and the line that posted it in the sender's program.
    public let origin: String
    /// The trace that it belongs to, if the sender has ``LinkOptions/traceparent``.
    public let traceparent: TraceParent?

    init(topic: TopicName, value: Value, _ message: LinkMessage) {
        self.topic = topic
        self.value = value
        sender = message.sender
        sequence = message.sequence
        time = RecordTime(microseconds: message.time)
        origin = message.origin
        traceparent = message.traceparent
    }
}

extension RemoteEnvelope: CustomStringConvertible {
    public var description: String { "\(topic) #\(sequence) of \(sender.name): \(value)" }
}
