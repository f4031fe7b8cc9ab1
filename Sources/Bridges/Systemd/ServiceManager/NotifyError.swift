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
    /// A step failed with an error of the system: "connect to".
    case system(step: String, socket: String, code: CInt)
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
        case .system(let step, let socket, let code):
            "cannot tell the service manager: \(DatagramSocket.Failure.system(step: step, code: code).text(socket))"
        }
    }

    init(_ failure: DatagramSocket.Failure, _ socket: String) {
        switch failure {
        case .full: self = .full(socket: socket)
        case .system(let step, let code): self = .system(step: step, socket: socket, code: code)
        }
    }
}
