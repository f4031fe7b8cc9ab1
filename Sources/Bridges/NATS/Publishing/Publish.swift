public import Bus

extension Signal where Value == NATSMessage, Failure == NATSError {
    /// Sends each message to its subject, in order, and says when it is in the output buffer.
    ///
    /// ```
    /// self            --m1----m2--|
    /// server          ---m1----m2
    /// publish(over:)  ----()----()|
    /// ```
    ///
    /// - Ends: with the source, when all is sent.
    /// - Fails: with the source; when a message cannot be sent, as ``NATSConnection/publish(_:)`` throws.
    /// - Cancelling: stops; the message that is being sent may be sent all the same.
    /// - Pausing: nothing is sent while the observer pauses.
    /// - Buffers: at most `limit` messages, and as many that are being sent. The source is told to pause then; one that cannot loses what it sends, and the loss is
    ///   counted in its place.
    /// - Thread: the connection's.
    ///
    /// - Parameters:
    ///   - connection: over which it is sent.
    ///   - limit: how many messages may wait.
    @inlinable
    public func publish(over connection: NATSConnection, limit: Int = 1024) -> some Signal<Void, NATSError> {
        // The connection's thread takes all messages that wait at once, and sends them one after the other.
        deliver(on: connection.worker, limit: limit)
            .attemptMap { message throws(NATSError) in try connection.publishHere(message) }
    }
}

extension Signal where Value == NATSMessage, Failure == Never {
    /// Sends each message to its subject. See the same of a signal that may fail.
    @inlinable
    public func publish(over connection: NATSConnection, limit: Int = 1024) -> some Signal<Void, NATSError> {
        promoteFailure(to: NATSError.self).publish(over: connection, limit: limit)
    }
}

extension Signal where Value == [UInt8], Failure == NATSError {
    /// Sends each value as the payload of a message to one subject. See the same of a signal of ``NATSMessage``.
    @inlinable
    public func publish(
        to subject: String,
        over connection: NATSConnection,
        limit: Int = 1024
    ) -> some Signal<Void, NATSError> {
        map { NATSMessage(subject: subject, payload: $0) }.publish(over: connection, limit: limit)
    }
}

extension Signal where Value == [UInt8], Failure == Never {
    /// Sends each value as the payload of a message to one subject. See the same of a signal of ``NATSMessage``.
    @inlinable
    public func publish(
        to subject: String,
        over connection: NATSConnection,
        limit: Int = 1024
    ) -> some Signal<Void, NATSError> {
        map { NATSMessage(subject: subject, payload: $0) }.publish(over: connection, limit: limit)
    }
}
