public import Records

/// A message of a stream, as a consumer gets it.
public struct NATSDelivery: Sendable, Hashable {
    /// The message as it was stored.
    public let message: NATSMessage
    /// The name of the stream.
    public let stream: String
    /// The message's number in the stream.
    public let sequence: UInt64
    /// How many messages the consumer was sent, this one included.
    let consumerSequence: UInt64
    /// 1 when it is sent for the first time.
    public let attempt: Int
    /// When it was stored.
    public let storedAt: RecordTime
    /// How many messages of the stream the server has for this consumer after this one.
    public let pending: UInt64

    /// - Parameter message: one whose reply subject says what the rest is; nil when it says no such thing.
    init?(_ message: NATSMessage) {
        guard var reply = message.reply, let place = reply.withUTF8({ NATSDeliveryPlace($0) }) else { return nil }
        self.init(message, place)
    }

    /// - Parameter place: what its reply subject says.
    init(_ message: NATSMessage, _ place: NATSDeliveryPlace) {
        self.message = message
        stream = place.stream
        sequence = place.sequence
        consumerSequence = place.consumerSequence
        attempt = place.attempt
        storedAt = RecordTime(microseconds: place.storedAt / 1000)
        pending = place.pending
    }

    /// Where it is acknowledged.
    var reply: String { message.reply ?? "" }
}
