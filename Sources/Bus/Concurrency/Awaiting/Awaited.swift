/// One event that a task waits for: an outcome that is set once, or a cancellation, whichever comes first.
///
/// The waiting task is resumed once; everything later is ignored.
final class Awaited<Outcome: Sendable>: Sendable {
    private enum State: Sendable {
        case nothing
        case waiting(CheckedContinuation<Outcome, Never>)
        case said(Outcome)
        case over
    }

    private let state = Lock(State.nothing)

    /// Whether an outcome would still make a difference.
    var isOpen: Bool {
        state.withLock { state in
            switch state {
            case .nothing, .waiting: true
            case .said, .over: false
            }
        }
    }

    func say(_ outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            switch state {
            case .nothing:
                state = .said(outcome)
                return nil
            case .waiting(let waiter):
                state = .over
                return waiter
            case .said, .over:
                return nil
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// Returns the outcome, as soon as there is one. Called once.
    func outcome(isolation actor: isolated (any Actor)?) async -> Outcome {
        await withCheckedContinuation { continuation in
            let said = state.withLock { state -> Outcome? in
                if case .said(let outcome) = state {
                    state = .over
                    return outcome
                }
                state = .waiting(continuation)
                return nil
            }
            if let said { continuation.resume(returning: said) }
        }
    }
}
