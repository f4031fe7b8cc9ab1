/// What the latest inner signal of a `flatMap(.latest)` left to be called when there is room. One at a time: where a source
/// switches again and again while nothing is taken, the requests of those that were switched away from are let go of.
@usableFromInline
final class LatestRequest<Downstream: Observer & ~Copyable>: Sendable {
    private struct State: Sendable {
        var serial: UInt64 = 0
        var resume: (@Sendable () -> Void)?
        /// The output has been asked to call.
        var isAsked = false
    }

    private let state = Lock(State())
    /// The switches that wait for their turn.
    let switches = Lock(LatestSwitches())

    @usableFromInline
    init() {}

    @usableFromInline
    func wait(
        _ serial: UInt64,
        _ output: SerialObserver<Downstream>,
        _ resume: @escaping @Sendable () -> Void
    ) -> Demand {
        let (isFirst, previous) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            // Switched away from meanwhile, it is not to speak again.
            guard serial >= state.serial else { return (false, nil) }
            defer { state = State(serial: serial, resume: resume, isAsked: true) }
            return (!state.isAsked, state.resume)
        }
        // Let go of here, not under the lock.
        withExtendedLifetime(previous) {}
        guard isFirst else { return .pause }
        let answer = output.whenReady { [self] in call() }
        guard answer != .pause else { return .pause }
        // A later one may have come in between, and relies on the call.
        let (waiting, isOwn) = take(after: serial)
        if !isOwn { waiting?() }
        return answer
    }

    private func call() {
        take(after: 0).waiting?()
    }

    private func take(after serial: UInt64) -> (waiting: (@Sendable () -> Void)?, isOwn: Bool) {
        state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            state.isAsked = false
            return (state.resume.take(), state.serial == serial)
        }
    }
}
