extension NATSConnection {
    /// Sends a message, and calls `done` on the connection's thread when it is in the output buffer.
    package func publish(
        _ message: NATSMessage,
        then done: @escaping @Sendable (Result<Void, NATSError>) -> Void
    ) {
        core.publish(message, done)
    }

    /// Calls `done`, on a thread that must not be kept, when the server has all that was published and knows all subscriptions.
    package func flush(
        timeout: Duration,
        then done: @escaping @Sendable (Result<Void, NATSError>) -> Void
    ) {
        core.flush(timeout, done)
    }
}
