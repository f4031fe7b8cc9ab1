/// The result of one of this program's methods.
enum DBusReply: Sendable {
    case values([DBusValue])
    case error(name: String, message: String)

    static func failure(_ error: any Error) -> DBusReply {
        switch error {
        case let error as DBusReplyError: .error(name: error.name, message: error.message)
        case is CancellationError: .error(name: Name.noReply, message: "the call was cancelled")
        default: .error(name: Name.failed, message: "\(error)")
        }
    }

    /// Names of errors that the D-Bus specification and its reference implementation have.
    enum Name {
        static let failed = "org.freedesktop.DBus.Error.Failed"
        static let noReply = "org.freedesktop.DBus.Error.NoReply"
        static let limits = "org.freedesktop.DBus.Error.LimitsExceeded"
        static let arguments = "org.freedesktop.DBus.Error.InvalidArgs"
        static let object = "org.freedesktop.DBus.Error.UnknownObject"
        static let interface = "org.freedesktop.DBus.Error.UnknownInterface"
        static let method = "org.freedesktop.DBus.Error.UnknownMethod"
        static let property = "org.freedesktop.DBus.Error.UnknownProperty"
        static let readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    }
}
