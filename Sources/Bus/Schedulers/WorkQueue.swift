/// Work that waits for a runner which takes all of it, in order, and of which there is one at a time.
///
/// Whatever starts the runner may itself be out of order, as Swift's tasks are; what it runs is not.
final class WorkQueue: Sendable {
    private struct State: Sendable {
        var work: [@Sendable () -> Void] = []
        var hasRunner = false
    }

    private let state = Lock(State())

    /// Answers whether a runner is to be started, which calls ``runAll()``.
    func add(_ work: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state -> Bool in
            state.work.append(work)
            defer { state.hasRunner = true }
            return !state.hasRunner
        }
    }

    /// Runs what there is and what comes meanwhile.
    func runAll() {
        while true {
            let batch = state.withLock { state -> [@Sendable () -> Void] in
                if state.work.isEmpty { state.hasRunner = false }
                defer { state.work = [] }
                return state.work
            }
            if batch.isEmpty { return }
            for work in batch { work() }
        }
    }
}
