/// The state that the inner signals of a `flatMap(.latest)` and their source share.
///
/// It is their right to send: when the last of them releases it, the downstream is freed. It keeps the closure that
/// the latest inner signal left to be called when there is room. It keeps one at a time: where a source switches
/// again and again while nothing is taken, the requests of earlier signals are released.
@usableFromInline
final class LatestRequest<Downstream: Observer & ~Copyable>: Sendable {
    private struct State: Sendable {
        var serial: UInt64 = 0
        var resume: (@Sendable () -> Void)?
        /// The output has been asked to call.
        var isAsked = false
    }

    private let output: SerialObserver<Downstream>
    private let state = Lock(State())
    /// The switches that wait for their turn.
    let switches = Lock(LatestSwitches())

    @usableFromInline
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func wait(_ serial: UInt64, _ resume: @escaping @Sendable () -> Void) -> Demand {
        let (isFirst, previous) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            // A signal that was switched away from meanwhile must not send again.
            guard serial >= state.serial else { return (false, nil) }
            defer { state = State(serial: serial, resume: resume, isAsked: true) }
            return (!state.isAsked, state.resume)
        }
        // Released here, not under the lock.
        withExtendedLifetime(previous) {}
        guard isFirst else { return .pause }
        // The output holds the call, but not this object, whose release it waits for.
        let answer = output.whenReady { [state] in Self.take(from: state).waiting?() }
        guard answer != .pause else { return .pause }
        // A later one may have come in between, and relies on the call.
        let (waiting, latest) = Self.take(from: state)
        if latest != serial { waiting?() }
        return answer
    }

    private static func take(from state: Lock<State>) -> (waiting: (@Sendable () -> Void)?, serial: UInt64) {
        state.withLock { state -> ((@Sendable () -> Void)?, UInt64) in
            state.isAsked = false
            return (state.resume.take(), state.serial)
        }
    }
}
