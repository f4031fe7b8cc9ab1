#if NATS
    /// A message of a stream, as a consumer gets it.
    public struct NATSDelivery: Sendable, Hashable {
        public let message: NATSMessage
        /// The name of the stream.
        public let stream: String
        /// The message's number in the stream.
        public let sequence: UInt64
        /// How many messages the consumer was sent, this one included.
        let consumerSequence: UInt64
        /// 1 when it is sent for the first time.
        public let attempt: Int
        /// When it was stored, in nanoseconds since 1970.
        public let storedAt: Int64
        /// How many messages of the stream the server has for this consumer after this one.
        public let pending: UInt64

        /// - Parameter message: one whose reply subject says what the rest is; nil when it says no such thing.
        init?(_ message: NATSMessage) {
            let tokens = message.reply?.split(separator: ".") ?? []
            // Newer servers put a domain and an account before the stream.
            let offset = tokens.count >= 11 ? 2 : 0
            guard tokens.count >= 9, tokens[0] == "$JS", tokens[1] == "ACK",
                let attempt = Int(tokens[4 + offset]), let sequence = UInt64(tokens[5 + offset]),
                let consumerSequence = UInt64(tokens[6 + offset]), let storedAt = Int64(tokens[7 + offset]),
                let pending = UInt64(tokens[8 + offset])
            else { return nil }
            self.message = message
            stream = String(tokens[2 + offset])
            self.sequence = sequence
            self.consumerSequence = consumerSequence
            self.attempt = attempt
            self.storedAt = storedAt
            self.pending = pending
        }
    }
#endif
