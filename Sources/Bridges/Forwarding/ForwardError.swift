import Bus

/// Why something could not be forwarded.
public struct ForwardError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The meaning of a failure for further attempts.
    public enum Verdict: Sendable, Hashable {
        /// Another attempt may succeed.
        case wait
        /// Another attempt may succeed if the sink was there before.
        case waitIfKnown
        /// A sink that starts or ends says so, too. Several new connections in a row have to confirm it.
        case confirm
        /// Waiting does not help.
        case end
    }

    public let description: String
    /// Whether waiting helps.
    public let verdict: Verdict
    /// Whether it is over as soon as there is a connection again. A sink that refuses to store has to store something first.
    public let isOutage: Bool

    /// - Parameters:
    ///   - description: what failed and why, for a person.
    ///   - verdict: whether waiting helps.
    ///   - isOutage: see ``isOutage``.
    public init(_ description: String, _ verdict: Verdict, isOutage: Bool = true) {
        self.description = description
        self.verdict = verdict
        self.isOutage = isOutage
    }
}

/// Decides whether another attempt may succeed after a failure.
final class ForwardPatience: Sendable {
    private struct State: Sendable {
        var hasFoundSink = false
        /// How many attempts in a row have heard what has to be confirmed.
        var denials = 0
    }

    /// So many new connections have to say that there is no sink that was there before. It takes some seconds.
    static let maxDenials = 6

    private let state = Lock(State())

    func foundSink() { state.withLock { $0 = State(hasFoundSink: true) } }

    /// An attempt has failed.
    func failed(_ failure: ForwardError) {
        state.withLock { $0.denials = failure.verdict == .confirm ? $0.denials + 1 : 0 }
    }

    func isTemporary(_ failure: ForwardError) -> Bool {
        state.withLock { state in
            switch failure.verdict {
            case .wait: true
            case .waitIfKnown: state.hasFoundSink
            case .confirm: state.hasFoundSink && state.denials < Self.maxDenials
            case .end: false
            }
        }
    }
}
