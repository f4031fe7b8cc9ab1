public import Records

/// A message as it came from the bus.
public struct DBusMessage: Sendable, Hashable {
    /// The message's type; the raw values are the numbers of the D-Bus specification, "Message Format".
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// A call of a method, whether or not it expects an answer.
        case methodCall = 1
        /// The answer to a call that succeeded, with the results as arguments.
        case methodReturn = 2
        /// The answer to a call that failed. ``DBusMessage/errorName`` says why.
        case error = 3
        /// A signal, to everybody who listens or to one connection.
        case signal = 4
    }

    /// Decides which of the other properties a message has.
    public internal(set) var kind: Kind
    /// The number its sender gave it.
    public internal(set) var cookie: UInt64
    /// The number of the call that it answers.
    public internal(set) var replyCookie: UInt64?
    /// The unique name of the sending connection, such as `:1.42`, which the bus vouches for. `org.freedesktop.DBus`
    /// for messages of the bus itself; nil where no bus is between the two ends.
    public internal(set) var sender: String?
    /// The well-known name by which the subscription's match follows the sender; nil if the match has none.
    public internal(set) var senderName: String?
    /// Whom it is for; nil for a signal to everybody.
    public internal(set) var destination: String?
    /// The object that is called or sends the signal; nil in an answer.
    public internal(set) var path: String?
    /// The interface of the method or the signal; nil in an answer, and in a call that names none.
    public internal(set) var interface: String?
    /// The name of the method or the signal, without its interface; nil in an answer.
    public internal(set) var member: String?
    /// The name of the error, in an answer that is one.
    public internal(set) var errorName: String?
    /// Whether the sender wants an answer.
    public internal(set) var expectsReply: Bool
    /// Whether the bus may start the service that a call is for.
    public internal(set) var startsService: Bool
    /// Whether the caller is prepared to wait while a person is asked for permission.
    public internal(set) var allowsInteraction: Bool
    /// When it was taken from the socket.
    public internal(set) var realtime: RecordTime
    /// How long the machine had run then, without the time it was suspended.
    public internal(set) var monotonic: Duration
    /// The types of the arguments.
    public internal(set) var signature: String
    /// The message's body, of the types in ``signature``; empty for a message without one.
    public internal(set) var arguments: [DBusValue]

    /// The first argument, if it is text: for a signal this is often its subject.
    public var text: String? { arguments.first?.text }

    /// Whether libsystemd made it to report that the connection has ended.
    var isDisconnection: Bool { interface == DBusNames.local && member == "Disconnected" }
}
