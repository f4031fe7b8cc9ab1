import Bus

/// A request to the connection's thread, which carries it out or fails it, once.
enum NATSCommand: Sendable {
    typealias Done = @Sendable (Result<Void, NATSError>) -> Void
    typealias Answer = @Sendable (Result<NATSMessage, NATSError>) -> Void

    case listen(UInt64, NATSInterest, NATSListener)
    case leave(UInt64)
    case publish(NATSMessage, Done)
    case acknowledge(NATSAcknowledging)
    case request(UInt64, NATSMessage)
    case flush(Duration, Done)
    case drain(Duration, Done)
}

/// The subject, the group and the limits of a subscription.
struct NATSInterest: Sendable {
    let subject: String
    let group: String?
    /// How many messages may wait.
    let limit: Int
    /// How many bytes may wait.
    let byteLimit: Int

    var operation: String { "listen to \"\(subject)\"" + (group.map { " in the group \($0)" } ?? "") }

    var flaw: String? {
        NATSSubject.flaw(inPattern: subject) ?? group.flatMap { NATSSubject.flaw(inGroup: $0) }
    }
}
