import Bus

/// A request to the connection's thread, which carries it out or fails it, once.
enum DBusCommand: Sendable {
    case call(UInt64, DBusCall, @Sendable (Result<DBusMessage, DBusError>) -> Void)
    case forget(UInt64)
    case subscribe(UInt64, DBusMatch, Emitter<DBusMessage, DBusError>)
    case unsubscribe(UInt64)
    case emit(DBusEmission, @Sendable (Result<Void, DBusError>) -> Void)

    /// Tells whoever asked that it cannot be done.
    func fail(_ reason: DBusError.Reason) {
        switch self {
        case .call(_, let call, let answer): answer(.failure(DBusError(reason, call.operation)))
        case .subscribe(_, let match, let emitter): emitter.fail(DBusError(reason, "listen to \(match.rule)"))
        case .emit(let emission, let answer): answer(.failure(DBusError(reason, emission.operation)))
        case .forget, .unsubscribe: break
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

    var operation: String { "emit \(interface).\(member)" }
}
