public import Bus

extension NATSConnection {
    /// The sending of a message. Cold: every subscription sends it once.
    ///
    /// ```
    /// server        --message
    /// publication   --()|
    /// ```
    ///
    /// - Ends: after a value, when the message is in the output buffer.
    /// - Fails: as ``publish(_:)`` throws.
    /// - Cancelling: stops waiting; the message may be sent all the same.
    /// - Thread: the connection's. The observer must be quick; `deliver(on:)` hands it to another.
    public func publication(of message: NATSMessage) -> some Signal<Void, NATSError> {
        Signals.create(of: Void.self, failure: NATSError.self, limit: 1) { [core] emitter in
            core.publish(message) { result in
                switch result {
                case .success:
                    emitter.send(())
                    emitter.complete()
                case .failure(let error): emitter.fail(error)
                }
            }
            return nil
        }
    }
}
