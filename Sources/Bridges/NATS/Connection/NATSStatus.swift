import CNATS

extension NATSError.Reason {
    /// The meaning of a status of libnats, with the text that the library keeps for the calling thread.
    init(_ status: natsStatus) {
        self.init(status, NATSStatus.lastText(for: status))
    }

    init(_ status: natsStatus, _ text: String) {
        switch status {
        case NATS_NO_SERVER, NATS_IO_ERROR: self = .unreachable(text)
        case NATS_CONNECTION_AUTH_FAILED: self = .unauthorized(text)
        case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_WANTED, NATS_SECURE_CONNECTION_REQUIRED: self = .insecure(text)
        case NATS_NOT_PERMITTED: self = .notPermitted(text)
        case NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION: self = .disconnected(text)
        case NATS_DRAINING: self = .closed
        case NATS_INVALID_SUBJECT, NATS_INVALID_QUEUE_NAME, NATS_ADDRESS_MISSING: self = .invalid(text)
        case NATS_NO_RESPONDERS: self = .noResponders
        case NATS_TIMEOUT: self = .timedOut
        case NATS_INSUFFICIENT_BUFFER: self = .bufferFull
        default: self = .library(status: Int(status.rawValue), text: text)
        }
    }
}

enum NATSStatus {
    /// The text of the calling thread's last error if it is of this status, else the status in words.
    static func lastText(for status: natsStatus) -> String {
        var last = NATS_OK
        let text = nats_GetLastError(&last).map { String(cString: $0) } ?? ""
        if last == status, !text.isEmpty { return text }
        return natsStatus_GetText(status).map { String(cString: $0) } ?? "unknown status"
    }
}
