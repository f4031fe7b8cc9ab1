#if NATS
    extension NATSError.Reason {
        /// Whether a reading that has begun outlasts it. While the connection is lost, other messages may have filled the buffer for
        /// later. A cluster that chooses a leader gives no answer, or one of these
        /// codes: no suitable peers (10005), not available (10008), not the leader (10009), stream or consumer offline (10118,
        /// 10119), too many requests (10167).
        var isPassing: Bool {
            switch self {
            case .timedOut, .bufferFull: true
            case .jetStream(let code, _): [10005, 10008, 10009, 10118, 10119, 10167].contains(code)
            default: false
            }
        }
    }
#endif
