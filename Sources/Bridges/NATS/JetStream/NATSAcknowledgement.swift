#if NATS
    /// A stream of JetStream has stored a message.
    public struct NATSAcknowledgement: Sendable, Hashable {
        /// The name of the stream.
        public let stream: String
        /// The message's number in the stream.
        public let sequence: UInt64
        /// Whether the stream had a message with the same id already. It then kept that one, which the sequence is of.
        public let isDuplicate: Bool

        public init(stream: String, sequence: UInt64, isDuplicate: Bool) {
            self.stream = stream
            self.sequence = sequence
            self.isDuplicate = isDuplicate
        }
    }
#endif
