import Glibc

/// An entry did not reach journald.
public struct JournalWriteError: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// Nobody listens at the socket: journald is not there, or being restarted.
        case absent
        /// journald does not take what waits for it, for longer than the writer waits.
        case busy
        /// Something else, with the system's error: no descriptor or memory left, no permission.
        case system
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// Where journald should listen.
    public let socket: String
    private let failure: DatagramSocket.Failure

    init(_ failure: DatagramSocket.Failure, _ socket: String) {
        self.socket = socket
        self.failure = failure
        reason =
            switch failure {
            case .full: .busy
            case .system(_, ENOENT), .system(_, ECONNREFUSED): .absent
            case .system: .system
            }
    }
}

extension JournalWriteError: CustomStringConvertible {
    public var description: String { "cannot write to the journal: \(failure.text(socket))" }
}
