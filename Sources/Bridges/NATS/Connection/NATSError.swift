/// Why something could not be done over NATS: the attempt, the server, and the reason.
public struct NATSError: Error, Hashable, Sendable {
    /// What went wrong, for programs.
    public enum Reason: Hashable, Sendable {
        /// No server of the list could be reached. The text is libnats's.
        case unreachable(String)
        /// The server does not know the user, the password, the token or the credentials. The text is libnats's.
        case unauthorized(String)
        /// The secure connection could not be made: a certificate does not fit, or one side alone asks for TLS.
        case insecure(String)
        /// The server does not permit this user to do it. The text is the server's.
        case notPermitted(String)
        /// The connection ended for good. It is unknown whether an operation that was under way took place.
        case disconnected(String)
        /// The program has closed or drained this connection.
        case closed
        /// The request breaks a rule of NATS, which the text says.
        case invalid(String)
        /// The message, headers included, is larger than the server takes.
        case tooLarge(bytes: Int, limit: Int)
        /// Nobody listens to the subject of a request.
        case noResponders
        /// The time is over.
        case timedOut
        /// The server cannot be reached now, and the reconnect buffer is full.
        case bufferFull
        /// The other side could not answer a request. Code and text are its own.
        case service(code: Int, text: String)
        /// No stream of JetStream stores the subject, or the server has no JetStream.
        case noStream
        /// JetStream refuses it. The code is the server's `err_code`, and the text its own.
        case jetStream(code: Int, text: String)
        /// libnats cannot be loaded. The text is the system's.
        case noLibrary(String)
        /// Another failure. Status and text are libnats's.
        case library(status: Int, text: String)
    }

    /// What went wrong.
    public let reason: Reason
    /// The attempt that failed: `publish to "orders.new"`.
    public let operation: String
    /// The servers of the connection, as they were given, without user and password.
    public let server: String

    /// For stand-ins of a connection, in tests.
    public init(_ reason: Reason, _ operation: String, server: String) {
        self.reason = reason
        self.operation = operation
        self.server = server
    }
}

extension NATSError: CustomStringConvertible {
    public var description: String { "cannot \(operation) (\(server)): \(explanation)" }

    private var explanation: String {
        switch reason {
        case .unreachable(let text): "no NATS server can be reached: \(text)"
        case .unauthorized(let text): "the server refuses the user or the credentials: \(text)"
        case .insecure(let text): "no secure connection can be made: \(text)"
        case .notPermitted(let text): "the server does not permit it: \(text)"
        case .disconnected(let text):
            text.isEmpty ? "the connection has ended" : "the connection has ended: \(text)"
        case .closed: "the connection was closed by this program"
        case .invalid(let text): text
        case .tooLarge(let bytes, let limit):
            "the message has \(bytes) bytes with its headers, and the server takes \(limit) (max_payload)"
        case .noResponders: "nobody listens to the subject"
        case .timedOut: "no answer in time"
        case .bufferFull: "the server cannot be reached now, and the reconnect buffer is full"
        case .service(let code, let text): "the service answered with error \(code): \(text)"
        case .noStream: "no stream of JetStream stores the subject"
        case .jetStream(let code, let text): "JetStream answered with error \(code): \(text)"
        case .noLibrary(let text):
            "libnats cannot be loaded: \(text); install it (on Debian a package such as libnats3.4)"
        case .library(let status, let text): "\(text) (status \(status) of libnats)"
        }
    }
}
