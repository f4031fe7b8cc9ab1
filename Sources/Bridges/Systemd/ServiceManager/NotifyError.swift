public import SystemPackage

/// The reason why the service manager could not be notified.
public enum NotifyError: Error, Hashable, Sendable {
    /// `$NOTIFY_SOCKET` names no Unix socket.
    case unsupportedAddress(String)
    /// The socket's queue was full for as long as the sender would wait.
    case full(socket: String)
    /// The state breaks a rule of its format, and was not sent.
    case invalid(what: String, reason: String)
    /// The manager did not answer a barrier in time: earlier notifications may not have been taken yet.
    case unanswered(socket: String, after: Duration)
    /// An operation of the system failed: "connect to".
    case system(operation: String, socket: String, errno: Errno)
}

extension NotifyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupportedAddress(let address):
            "cannot tell the service manager: $NOTIFY_SOCKET is \"\(address)\", which is neither a path nor @ and a name"
        case .full(let socket):
            "cannot tell the service manager: \(DatagramSocket.Failure.full.text(socket))"
        case .invalid(let what, let reason):
            "cannot tell the service manager \(what): \(reason)"
        case .unanswered(let socket, let time):
            "the service manager at \(socket) has not taken what it was told within \(time)"
        case .system(let operation, let socket, let errno):
            "cannot tell the service manager: \(DatagramSocket.Failure.system(step: operation, code: errno.rawValue).text(socket))"
        }
    }

    init(_ failure: DatagramSocket.Failure, _ socket: String) {
        switch failure {
        case .full: self = .full(socket: socket)
        case .system(let step, let code): self = .system(operation: step, socket: socket, errno: Errno(rawValue: code))
        }
    }
}
