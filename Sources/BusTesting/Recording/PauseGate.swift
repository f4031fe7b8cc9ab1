import Bus

/// Counts the values for which an observer still has room, and keeps the closure to call when it has room again.
final class PauseGate: Sendable {
    private struct State: ResumeSlot, Sendable {
        var room: Int
        var overrun = 0
        var resume: (@Sendable () -> Void)?
    }

    private let state: Lock<State>

    /// - Parameter room: how many values are taken before the first pause.
    init(room: Int) {
        state = Lock(State(room: max(0, room)))
    }

    var demand: Demand { state.withLock { $0.room > 0 ? .more : .pause } }

    /// How many values came while there was no room.
    var overrun: Int { state.withLock { $0.overrun } }

    /// Whether a closure waits to be called.
    var isAwaited: Bool { state.withLock { $0.resume != nil } }

    /// Takes a value.
    func take() -> Demand {
        state.withLock { state in
            if state.room > 0 { state.room -= 1 } else { state.overrun += 1 }
            return state.room > 0 ? .more : .pause
        }
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        state.whenReady(resume) { $0.room == 0 ? .pause : .more }
    }

    func release(_ count: Int) {
        guard count > 0 else { return }
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            let (room, isMost) = state.room.addingReportingOverflow(count)
            state.room = isMost ? .max : room
            return state.resume.take()
        }
        resume?()
    }

    /// Drops the closure; nothing is called any more.
    func close() {
        state.dropResume()
    }
}
