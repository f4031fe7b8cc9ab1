/// A message as it came from the bus.
public struct DBusMessage: Sendable, Hashable {
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        case methodCall = 1
        case methodReturn = 2
        case error = 3
        case signal = 4
    }

    public var kind: Kind
    /// The number its sender gave it.
    public var cookie: UInt64
    /// The number of the call that it answers.
    public var replyCookie: UInt64?
    /// The unique name of the sending connection, such as `:1.42`, which the bus vouches for. `org.freedesktop.DBus`
    /// for messages of the bus itself; nil where no bus is between the two ends.
    public var sender: String?
    /// The well-known name by which the subscription's match follows the sender; nil if the match has none.
    public var senderName: String?
    /// Whom it is for; nil for a signal to everybody.
    public var destination: String?
    public var path: String?
    public var interface: String?
    public var member: String?
    /// The name of the error, in an answer that is one.
    public var errorName: String?
    /// Whether the sender wants an answer.
    public var expectsReply: Bool
    /// Whether the bus may start the service that a call is for.
    public var startsService: Bool
    /// Whether the caller is prepared to wait while a person is asked for permission.
    public var allowsInteraction: Bool
    /// When it was taken from the socket, in microseconds since 1970.
    public var realtime: Int64
    /// The same by the monotonic clock, in microseconds since the machine was started, without the time it was suspended.
    public var monotonic: Int64
    /// The types of the arguments.
    public var signature: String
    public var arguments: [DBusValue]

    /// The first argument, if it is text: for a signal this is often its subject.
    public var text: String? { arguments.first?.text }

    /// Whether libsystemd made it to report that the connection has ended.
    var isDisconnection: Bool { interface == DBusNames.local && member == "Disconnected" }
}
