import NATSBridge

/// What a failure means for a forwarder.
///
/// | failure, or JetStream's `err_code` | verdict |
/// | --- | --- |
/// | larger than max_payload; 10054 larger than max_msg_size; 10097 headers too large | leave the entry out |
/// | 10002 the account's limits; 10023, 10028, 10047 no room at the server; 10077 the stream is full or cannot be written to | wait |
/// | 10008, 10009, 10118, 10194 the cluster has no leader, the stream is offline; 10158, 10167 too busy | wait |
/// | no server, no answer, the connection ends, no room for what is to be sent | wait |
/// | no stream stores the subject; 10059 no such stream; 10035, 10039, 10076, 10120 no JetStream for the account | end, if every new connection says so |
/// | 10109 the stream is sealed; 10166, 10169, 10170 it takes no such messages; 10003, 10025 the request is wrong | end |
/// | what answers is no stream | end |
/// | wrong user, not permitted, a rule of NATS is broken | end |
/// | another `err_code` | wait |
///
/// An entry that is larger than the whole stream (max_bytes) is found before it is sent; see `ForwardStream`.
enum ForwardVerdict: Equatable {
    /// The entry can never be stored, but others can.
    case leaveOut
    /// Another attempt may succeed.
    case wait
    /// A server that starts or ends says so, too. Another connection has to confirm it.
    case confirm
    case end
    /// Another attempt may succeed if the server was there before.
    case waitForKnown

    init(_ reason: NATSError.Reason) {
        self =
            switch reason {
            case .tooLarge: .leaveOut
            case .noStream: .confirm
            case .jetStream where reason.deniesStream: .confirm
            case .jetStream(let code, _): ForwardVerdict(code: code)
            case .bufferFull, .unreachable, .disconnected, .timedOut: .wait
            case .unauthorized, .notPermitted, .invalid, .noLibrary: .end
            case .insecure, .closed, .noResponders, .service, .library: .waitForKnown
            }
    }

    private init(code: Int) {
        self =
            switch code {
            case 10054, 10097: .leaveOut
            // Zero stands for an answer that is no acknowledgement.
            case 0, 10003, 10025, 10109, 10166, 10169, 10170: .end
            default: .wait
            }
    }
}

/// Why forwarding ended.
enum ForwardError: Error, CustomStringConvertible {
    case nats(NATSError)
    case source(String)

    var description: String {
        switch self {
        case .nats(let error): error.description
        case .source(let text): text
        }
    }

    /// Whether an outage of the server is over as soon as there is a connection again. A server that refuses to store has to
    /// store something first.
    var isOutage: Bool {
        guard case .nats(let error) = self, case .jetStream = error.reason else { return true }
        return false
    }
}
