/// A change of a connection.
public enum NATSEvent: Sendable, Hashable {
    /// A connection was made, because it was needed.
    case connected(server: String)
    /// The connection is lost, and libnats tries to make it again. Subscriptions miss the messages that are sent meanwhile; their
    /// number is unknown.
    case disconnected
    /// The connection is back, with all its subscriptions.
    case reconnected(server: String)
    /// The server refused an operation that has returned already, such as publishing to a subject that is not permitted.
    case refused(NATSError)
    /// The connection is over. It is made again when it is needed.
    case closed
}
