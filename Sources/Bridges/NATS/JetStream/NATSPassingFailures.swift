extension NATSError.Reason {
    /// Whether a reading that has begun outlasts it. While the connection is lost, other messages may have filled the buffer for
    /// later. A cluster that chooses a leader gives no answer, or one of these codes: no suitable peers (10005), not available
    /// (10008), not the leader (10009), stream or consumer offline (10118, 10119), too many requests (10167).
    package var isPassing: Bool {
        switch self {
        case .timedOut, .bufferFull: true
        case .jetStream(let code, _): [10005, 10008, 10009, 10118, 10119, 10167].contains(code)
        default: false
        }
    }

    /// Whether the server says that there is no such stream, or no JetStream for this user: nobody answers, JetStream is off
    /// (10035, 10039, 10076, 10120), the stream is not found (10059). A server that starts says so, too, and the stream may be
    /// made anew.
    package var deniesStream: Bool {
        switch self {
        case .noStream: true
        case .jetStream(let code, _): [10035, 10039, 10059, 10076, 10120].contains(code)
        default: false
        }
    }
}
