/// A stream of JetStream has stored a message.
///
/// The server has it in its file, but not necessarily on the disk: it flushes the file every two minutes, unless `sync_interval` in its
/// configuration says otherwise. Until then a power failure of the server's machine can lose the message; a crash of the server alone
/// cannot. With `sync_interval: always` (from nats-server 2.10 on) the message is on the disk. With replicas it is in the files of most of them.
/// The module's article, "What an acknowledgement means", has a table.
public struct NATSAcknowledgement: Sendable, Hashable {
    /// The name of the stream.
    public let stream: String
    /// The message's number in the stream.
    public let sequence: UInt64
    /// Whether the stream had a message with the same id already. It then kept that one, which the sequence is of.
    public let isDuplicate: Bool

    /// For stand-ins of a stream, in tests.
    public init(stream: String, sequence: UInt64, isDuplicate: Bool) {
        self.stream = stream
        self.sequence = sequence
        self.isDuplicate = isDuplicate
    }
}
