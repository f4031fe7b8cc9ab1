#if NATS
    import Bus

    /// The messages of a consumer that wait for their handler or are being handled. While one is, the server may send it again; that
    /// copy says nothing new.
    final class NATSInFlight: Sendable {
        private let sequences = Lock<Set<UInt64>>([])

        /// Whether it was not there yet.
        func begin(_ sequence: UInt64) -> Bool { sequences.withLock { $0.insert(sequence).inserted } }

        func end(_ sequence: UInt64) { _ = sequences.withLock { $0.remove(sequence) } }
    }
#endif
