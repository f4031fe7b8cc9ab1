import Bus

/// A request to the connection's thread, which carries it out or fails it, once.
enum DBusCommand: Sendable {
    case call(UInt64, DBusCall, @Sendable (Result<DBusMessage, DBusError>) -> Void)
    case forget(UInt64)
    case own(DBusNameRequest)
    case disown(UInt64, name: String)
    case subscribe(UInt64, DBusMatch, any DBusListening)
    case unsubscribe(UInt64)
    case export(UInt64, [DBusObject], @Sendable (Result<Void, DBusError>) -> Void)
    case withdraw(UInt64)
    case reply(UInt64, DBusReply)
    case emit(DBusEmission, @Sendable (Result<Void, DBusError>) -> Void)

    /// Tells the caller that it cannot be done.
    func fail(_ reason: DBusError.Reason) {
        switch self {
        case .call(_, let call, let answer): answer(.failure(DBusError(reason, call.operation)))
        case .own(let request): request.answer(.failure(DBusError(reason, request.operation)))
        case .subscribe(_, let match, let target): target.fail(DBusError(reason, "listen to \(match.rule)"))
        case .export(_, let objects, let answer): answer(.failure(DBusError(reason, DBusObject.operation(objects))))
        case .emit(let emission, let answer): answer(.failure(DBusError(reason, emission.operation)))
        case .forget, .disown, .unsubscribe, .withdraw, .reply: break
        }
    }
}

/// A signal to be sent.
struct DBusEmission: Sendable {
    let path: String
    let interface: String
    let member: String
    let arguments: [DBusValue]
    let destination: String?

    init(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue], _ destination: String? = nil)
    {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.destination = destination
    }

    var operation: String { "emit \(interface).\(member)" }
}
