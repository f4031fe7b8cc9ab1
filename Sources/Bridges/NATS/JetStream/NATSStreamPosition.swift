import Bus

/// How far a stream was read, for the next consumer, which may be one of another connection.
package final class NATSStreamPosition: Sendable {
    private struct State: Sendable {
        var start: NATSStart
        /// The stream's last message when the reading began.
        var last: UInt64 = 0
        var hasBegun = false
        var canAcknowledge = true
        var hasCaughtUp = false
        /// When the stream was made that the numbers are of.
        var made: String?
        /// Since when the server says that there is no such stream, in nanoseconds of the monotonic clock.
        var deniedSince: Int64?
        /// Since when the server says that the stream ends before the place that was read, by the same clock.
        var aheadSince: Int64?

        func isStillThat(_ made: String?) -> Bool { self.made == nil || made == nil || made == self.made }
    }

    private let patience: Int64
    private let state: Lock<State>

    /// - Parameters:
    ///   - made: when the stream was made of which the start is a number.
    ///   - patience: how long a reading that has begun waits for a stream that is not there.
    package init(_ start: NATSStart, made: String? = nil, patience: Duration = .seconds(30)) {
        self.patience = patience == .zero ? 0 : patience.natsMilliseconds * 1_000_000
        state = Lock(State(start: start, made: made))
    }

    /// Where the next consumer begins.
    package var next: NATSStart { state.withLock { $0.start } }

    /// Whether the server has described the stream once.
    package var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// - Parameter last: the number of the stream's last message.
    func begin(at start: NATSStart, last: UInt64 = 0) {
        state.withLock { ($0.start, $0.last, $0.hasBegun, $0.deniedSince) = (start, last, true, nil) }
    }

    func move(to start: NATSStart) { state.withLock { $0.start = start } }

    /// When the stream was made that is being read, as far as is known.
    package var made: String? { state.withLock { $0.made } }

    /// Notes when the stream was made.
    ///
    /// - Returns: whether it is another stream than the one that was read so far.
    func noteMade(_ made: String?) -> Bool {
        state.withLock { state in
            defer { state.made = made ?? state.made }
            return !state.isStillThat(made)
        }
    }

    /// Whether a stream that was made then is the one that is being read.
    func isStillThat(made: String?) -> Bool {
        state.withLock { $0.isStillThat(made) }
    }

    /// Whether the reading goes on after a failure.
    ///
    /// - Parameter now: in nanoseconds of the monotonic clock.
    func outlasts(_ reason: NATSError.Reason, at now: Int64) -> Bool {
        state.withLock { state in
            guard state.hasBegun else { return false }
            guard reason.deniesStream else {
                // Nobody knows how long the stream has not been there.
                state.deniedSince = nil
                return reason.isPassing
            }
            let since = state.deniedSince ?? now
            state.deniedSince = since
            return now - since < patience
        }
    }

    /// Whether messages of the stream were read that a server does not know yet: one that has just become the leader of the replicas
    /// may still have to get them from the others. After a while they count as lost.
    ///
    /// - Parameter now: in nanoseconds of the monotonic clock.
    func isAhead(of stream: NATSStreamState, at now: Int64) -> Bool {
        state.withLock { state in
            guard stream.isReplicated, case .after(let number) = state.start, number > stream.last,
                state.isStillThat(stream.made)
            else {
                state.aheadSince = nil
                return false
            }
            let since = state.aheadSince ?? now
            state.aheadSince = since
            return now - since < patience
        }
    }

    /// Whether the server permits acknowledgements, as far as it has said.
    var canAcknowledge: Bool { state.withLock { $0.canAcknowledge } }

    func cannotAcknowledge() { state.withLock { $0.canAcknowledge = false } }

    /// Whether all messages that the stream had have come.
    var hasCaughtUp: Bool { state.withLock { $0.hasCaughtUp } }

    /// Returns whether this is news.
    func catchUp() -> Bool {
        state.withLock { state in
            defer { state.hasCaughtUp = true }
            // No message was there to be the last one. All that come are wanted.
            if case .last = state.start { state.start = .after(state.last) }
            return !state.hasCaughtUp
        }
    }
}
