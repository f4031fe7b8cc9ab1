/// The destination of a writer's entries, and their identifier.
struct JournalPort: Sendable {
    let socket: DatagramSocket
    /// How long an entry may wait for capacity.
    let patience: Duration
    /// The field that an entry without one of the kind gets.
    let identifier: [UInt8]

    func send(_ message: JournalMessage, patience: Duration) throws(DatagramSocket.Failure) {
        try socket.send(Parts(message.bytes, message.hasIdentifier ? [] : identifier), patience: patience)
    }
}
