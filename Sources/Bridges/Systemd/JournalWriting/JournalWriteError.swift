import Glibc

/// An entry did not reach journald.
public struct JournalWriteError: Error, Hashable, Sendable {
    /// Why an entry was not taken, by which a program can decide whether to write it again.
    public enum Reason: Hashable, Sendable {
        /// Nobody listens at the socket: journald is not running, or is being restarted.
        case absent
        /// journald has not read its queue for longer than the writer waits.
        case busy
        /// Another failure, with the system's error: no descriptor or memory left, no permission.
        case system
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The socket of journald.
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
