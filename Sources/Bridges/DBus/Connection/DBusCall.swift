/// A method call that is to be made.
public struct DBusCall: Sendable, Hashable {
    /// Whom to ask, by a well-known or a unique name.
    public var destination: String
    public var path: String
    public var interface: String
    public var member: String
    public var arguments: [DBusValue]
    /// How long to wait for the answer; 25 s by default, as most libraries do. nil waits as long as the connection lasts.
    public var timeout: Duration?
    /// Whether the bus may start the service that is asked.
    public var startsService: Bool

    public init(
        _ destination: String,
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [DBusValue] = [],
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

    var operation: String { "call \(interface).\(member) of \(destination)" }
}
