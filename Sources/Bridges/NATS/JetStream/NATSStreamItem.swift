/// An element of the reading of a JetStream stream.
public enum NATSStreamItem: Sendable, Hashable {
    /// The next message of the stream.
    case message(NATSDelivery)
    /// The stream has removed the messages at this point. Their number is an upper bound where only some subjects of
    /// the stream are read, and unknown where the stream was made anew.
    case gap(lost: UInt64?)
    /// All messages that the stream had have come. The next ones come when they are stored.
    case caughtUp
}
