import NATSBridge

// The table in the comment of ``JetStreamSink`` says the same in words.

extension ForwardError {
    init(_ error: NATSError) {
        let isRefusal = if case .jetStream = error.reason { true } else { false }
        self.init(error.description, Verdict(error.reason), isOutage: !isRefusal)
    }
}

extension ForwardError.Verdict {
    init(_ reason: NATSError.Reason) {
        self =
            switch reason {
            case .noStream: .confirm
            case .jetStream where reason.deniesStream: .confirm
            case .jetStream(let code, _):
                // Zero stands for an answer that is no acknowledgement.
                [0, 10003, 10025, 10109, 10166, 10169, 10170].contains(code) ? .end : .wait
            case .tooLarge, .bufferFull, .unreachable, .disconnected, .timedOut: .wait
            case .unauthorized, .notPermitted, .invalid, .noLibrary: .end
            case .insecure, .closed, .noResponders, .service, .library: .waitIfKnown
            }
    }
}

extension NATSError.Reason {
    /// Whether the message can never be stored, while others can.
    var isOfOneMessage: Bool {
        switch self {
        case .tooLarge, .jetStream(code: 10054, _), .jetStream(code: 10097, _): true
        default: false
        }
    }
}
