/// A method call that is to be made.
public struct DBusCall: Sendable, Hashable {
    /// Whom to ask, by a well-known or a unique name.
    public var destination: String
    /// The object to call, such as `/org/freedesktop/systemd1`.
    public var path: String
    /// The interface that has the method, such as `org.freedesktop.systemd1.Manager`.
    public var interface: String
    /// The method's name without its interface, such as `ListUnits`.
    public var member: String
    /// The method's arguments, in order. Only the other side checks whether their types are those of the method.
    public var arguments: [DBusValue]
    /// How long to wait for the answer; 25 s by default, as most libraries do. nil waits as long as the connection lasts.
    public var timeout: Duration?
    /// Whether the bus may start the service that is asked.
    public var startsService: Bool

    /// A call for ``DBusConnection/call(_:)`` or ``DBusConnection/reply(to:on:)``. Nothing is sent or checked here.
    public init(
        to destination: String,
        at path: String,
        interface: String,
        member: String,
        arguments: [DBusValue] = [],
        timeout: Duration? = .seconds(25),
        startsService: Bool = true
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.timeout = timeout
        self.startsService = startsService
    }

    /// A call of the bus itself. Its answer is awaited as long as the connection lasts.
    package static func bus(_ member: String, _ arguments: [DBusValue] = []) -> DBusCall {
        DBusCall(
            to: DBusNames.bus,
            at: DBusNames.path,
            interface: DBusNames.bus,
            member: member,
            arguments: arguments,
            timeout: nil
        )
    }

    var operation: String { "call \(interface).\(member) of \(destination)" }
}
