import Synchronization

/// The thread of a `ThreadScheduler`, which does not hold the scheduler.
package final class WorkThread: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var work: [Work] = []
        var phase = Phase.notStarted
        var isRetired = false
        /// Nil while work is all there is to wait for.
        var waiter: (any ThreadWaiter)?
        /// The thread waits with the waiter, or is about to.
        var isWaiting = false
    }

    private enum Phase { case notStarted, running, ended }

    let name: String
    private let thread = Atomic<UInt>(0)
    private let state = Lock(State())
    private let parker = Parker()
    private let mark = ForkMark(isSet: false)

    init(name: String) {
        self.name = name
    }

    package var isCurrent: Bool { thread.load(ordering: .relaxed) == pthreadSelf() }

    /// Ends the process if it is a child made by fork since the thread was started.
    @inline(__always)
    package func checkProcess() { mark.check("the thread \"\(name)\"") }

    /// - Returns: false when the thread has ended: then the work is not taken.
    package func add(_ work: @escaping Work) -> Bool {
        enum Answer {
            case refused, taken, needsThread, unpark
            case wake(any ThreadWaiter)
        }
        let answer = state.withLock { state -> Answer in
            if state.phase == .ended { return .refused }
            state.work.append(work)
            if state.phase == .notStarted {
                state.phase = .running
                mark.set()
                return .needsThread
            }
            guard let waiter = state.waiter else { return state.work.count == 1 ? .unpark : .taken }
            // The thread itself looks for work before it waits.
            guard state.isWaiting, !isCurrent else { return .taken }
            state.isWaiting = false
            return .wake(waiter)
        }
        switch answer {
        case .refused: return false
        case .taken: break
        case .needsThread: startThread()
        case .unpark: parker.unpark()
        case .wake(let waiter): waiter.wake()
        }
        return true
    }

    /// The thread ends when all work is done.
    func retire() {
        let waiter = state.withLock { state in
            state.isRetired = true
            return state.waiter
        }
        parker.unpark()
        waiter?.wake()
    }

    /// The object that the thread waits with; `make` makes it when there is none yet. The thread runs afterwards.
    ///
    /// - Parameter refused: the error for a thread that cannot be started.
    package func waiter<Failure: Error>(
        orMake make: () throws(Failure) -> any ThreadWaiter,
        refused: (PinnedThread.StartError) -> Failure
    ) throws(Failure) -> any ThreadWaiter {
        let (waiter, isNew) = try state.withLock { state throws(Failure) -> (any ThreadWaiter, Bool) in
            if let waiter = state.waiter { return (waiter, false) }
            let waiter = try make()
            if state.phase == .notStarted {
                do throws(PinnedThread.StartError) {
                    try PinnedThread.start(name: name) { self.run() }
                } catch {
                    throw refused(error)
                }
                state.phase = .running
                mark.set()
            }
            state.waiter = waiter
            return (waiter, true)
        }
        // It may be waiting for work alone.
        if isNew { parker.unpark() }
        return waiter
    }

    private func startThread() {
        PinnedThread.startOrEnd(name: name) { self.run() }
    }

    private enum Step {
        case work([Work])
        case wait
        case end
    }

    private func run() {
        thread.store(pthreadSelf(), ordering: .relaxed)
        while true {
            let ticket = parker.ticket()
            let (step, waiter) = nextStep()
            switch (step, waiter) {
            case (.work(let batch), let waiter):
                for work in batch { work() }
                waiter?.turn(mayWait: false)
            case (.wait, let waiter?): waiter.turn(mayWait: true)
            case (.wait, nil): parker.park(ticket: ticket)
            case (.end, let waiter):
                waiter?.end()
                return
            }
        }
    }

    private func nextStep() -> (Step, (any ThreadWaiter)?) {
        state.withLock { state in
            state.isWaiting = false
            guard state.work.isEmpty else {
                defer { state.work = [] }
                return (.work(state.work), state.waiter)
            }
            guard state.isRetired else {
                state.isWaiting = state.waiter != nil
                return (.wait, state.waiter)
            }
            state.phase = .ended
            // It may hold the thread.
            return (.end, state.waiter.take())
        }
    }
}

/// The object that a thread waits with, when it has more to wait for than work.
package protocol ThreadWaiter: AnyObject, Sendable {
    /// Handles ready descriptors and timers. Called on the thread, between two pieces of work.
    ///
    /// - Parameter mayWait: whether to wait when nothing is ready, until something is or ``wake()`` is called.
    func turn(mayWait: Bool)

    /// Ends a wait, this one or the next. From any thread, also when the thread has ended.
    func wake()

    /// The thread ends, and calls nothing any more.
    func end()
}

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
