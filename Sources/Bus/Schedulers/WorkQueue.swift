/// A queue of work for a runner that takes all of it, in order. There is one runner at a time.
///
/// Starting the runner may itself be out of order, as Swift's tasks are; the work that it runs is not.
final class WorkQueue: Sendable {
    private struct State: Sendable {
        var work: [@Sendable () -> Void] = []
        var hasRunner = false
    }

    private let state = Lock(State())

    /// Returns whether to start a runner, which calls ``runWaiting()`` until it returns false.
    func add(_ work: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state -> Bool in
            state.work.append(work)
            defer { state.hasRunner = true }
            return !state.hasRunner
        }
    }

    /// Runs the work that waits, once, so that others on the same executor have their turn. Returns whether more has
    /// come: then the runner lets them go first, and calls this again.
    func runWaiting() -> Bool {
        let batch = state.withLock { state -> [@Sendable () -> Void] in
            defer { state.work = [] }
            return state.work
        }
        for work in batch { work() }
        return state.withLock { state in
            state.hasRunner = !state.work.isEmpty
            return state.hasRunner
        }
    }
}
