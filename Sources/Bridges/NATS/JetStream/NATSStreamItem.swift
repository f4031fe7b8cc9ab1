#if NATS
    /// What reading a stream of JetStream yields.
    public enum NATSStreamItem: Sendable, Hashable {
        case message(NATSDelivery)
        /// Messages that were to come here are no longer in the stream. Their number is an upper bound where only some subjects of
        /// the stream are read, and unknown where the stream was made anew.
        case gap(lost: UInt64?)
        /// All messages that the stream had have come. The next ones come when they are stored.
        case caughtUp
    }
#endif
