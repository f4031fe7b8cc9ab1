import Bus
import NATSBridge

/// Decides whether another attempt may succeed after a failure.
final class ForwardPatience: Sendable {
    private struct State: Sendable {
        var hasFoundStream = false
        /// How many attempts in a row have heard that there is no stream.
        var denials = 0
    }

    /// So many new connections have to say that there is no stream that was there before. It takes some seconds.
    static let maxDenials = 6

    private let state = Lock(State())

    func foundStream() {
        state.withLock { $0 = State(hasFoundStream: true) }
    }

    /// An attempt has failed.
    func failed(_ error: ForwardError) {
        state.withLock { state in
            if case .nats(let error) = error, ForwardVerdict(error.reason) == .confirm {
                state.denials += 1
            } else {
                state.denials = 0
            }
        }
    }

    func isTemporary(_ error: ForwardError) -> Bool {
        guard case .nats(let error) = error else { return false }
        return state.withLock { state in
            switch ForwardVerdict(error.reason) {
            case .leaveOut, .wait: true
            case .waitForKnown: state.hasFoundStream
            case .confirm: state.hasFoundStream && state.denials < Self.maxDenials
            case .end: false
            }
        }
    }
}
