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
    /// The unique name of the connection that sent it, such as `:1.42`, which the bus vouches for. `org.freedesktop.DBus` for what
    /// the bus itself says; nil where no bus is between the two ends.
    public var sender: String?
    /// Whom it is for; nil for a signal to everybody.
    public var destination: String?
    public var path: String?
    public var interface: String?
    public var member: String?
    /// The name of the error, in an answer that is one.
    public var errorName: String?
    /// Whether the sender wants an answer.
    public var expectsReply: Bool
    /// The types of the arguments.
    public var signature: String
    public var arguments: [DBusValue]

    /// The first argument, if it is text: of a signal often what it is about.
    public var text: String? { arguments.first?.text }
}
