/// A queue of work for a runner that takes all of it, in order. There is one runner at a time.
///
/// Starting the runner may itself be out of order, as Swift's tasks are; the work that it runs is not.
final class WorkQueue: Sendable {
    private struct State: Sendable {
        var work: [@Sendable () -> Void] = []
        var hasRunner = false
    }

    private let state = Lock(State())

    /// Returns whether to start a runner, which calls ``runAll()``.
    func add(_ work: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state -> Bool in
            state.work.append(work)
            defer { state.hasRunner = true }
            return !state.hasRunner
        }
    }

    /// Runs all work, including work that comes meanwhile.
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
