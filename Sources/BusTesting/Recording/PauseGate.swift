import Bus

/// Counts the values that an observer still takes, and keeps the closure to call when it takes more.
final class PauseGate: Sendable {
    private struct State: ResumeSlot, Sendable {
        var capacity: Int
        var overrun = 0
        var resume: (@Sendable () -> Void)?
    }

    private let state: Lock<State>

    /// - Parameter capacity: how many values are taken before the first pause.
    init(capacity: Int) {
        state = Lock(State(capacity: max(0, capacity)))
    }

    var demand: Demand { state.withLock { $0.capacity > 0 ? .more : .pause } }

    /// How many values came while it paused.
    var overrun: Int { state.withLock { $0.overrun } }

    /// Whether a closure waits to be called.
    var isAwaited: Bool { state.withLock { $0.resume != nil } }

    /// Takes a value.
    func take() -> Demand {
        state.withLock { state in
            if state.capacity > 0 { state.capacity -= 1 } else { state.overrun += 1 }
            return state.capacity > 0 ? .more : .pause
        }
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        state.whenReady(resume) { $0.capacity == 0 ? .pause : .more }
    }

    func release(_ count: Int) {
        guard count > 0 else { return }
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            let (capacity, overflow) = state.capacity.addingReportingOverflow(count)
            state.capacity = overflow ? .max : capacity
            return state.resume.take()
        }
        resume?()
    }

    /// Drops the closure; nothing is called any more.
    func close() {
        state.dropResume()
    }
}
