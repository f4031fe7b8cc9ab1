#if NATS
    /// A change of a connection.
    public enum NATSEvent: Sendable, Hashable {
        /// A connection was made, because it was needed.
        case connected(server: String)
        /// The connection is lost, and libnats tries to make it again. What is sent to subscriptions meanwhile is missed, and
        /// nobody knows how much it is.
        case disconnected
        /// The connection is back, and all subscriptions with it.
        case reconnected(server: String)
        /// The server refused something that nobody waits for, as publishing to a subject that is not permitted.
        case refused(NATSError)
        /// The connection is over. It is made again when it is needed.
        case closed
    }
#endif
