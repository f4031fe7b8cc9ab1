import DequeModule

/// Runs several pieces of work at a time, on a bounded number of threads of its own.
///
/// Work is started in the order given; pieces that run at the same time may end in any order. `deliver(on:)` keeps
/// its events in order all the same, because it never has two pieces of work here. Work may block; when it blocks all
/// threads, later work waits.
///
/// A thread is started when there is work and none is free, and ends when the scheduler is released and all work is
/// done. The queue of work is not bounded: bound the sender of the work, as `deliver(on:)` does.
///
/// If the system refuses a thread, the work waits for the others. If there are none, it is as for
/// ``ThreadScheduler``.
public final class ConcurrentScheduler: Scheduler {
    private let core: Core

    /// - Parameters:
    ///   - name: the name that `ps -L` shows for the threads; the first 15 bytes count.
    ///   - threads: how many pieces of work may run at once; at least one.
    public init(name: String, threads: Int) {
        core = Core(name: name, threads: threads)
    }

    deinit {
        core.retire()
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) { core.add(work) }

    /// Whether the caller runs on one of the threads: if all of them waited for this scheduler, none would be left to
    /// do the work.
    public var isCurrent: Bool { core.isOwnThread }

    public var name: String { core.name }

    /// The state that the threads hold, so that they do not hold the scheduler.
    private final class Core: Sendable {
        private struct State: Sendable {
            var work: Deque<@Sendable () -> Void> = []
            /// The parkers of idle threads; the thread that went to sleep last is at the end.
            var idle: [Parker] = []
            var threads: Set<UInt> = []
            var started = 0
            var isRetired = false
        }

        /// How to get a thread for a piece of work.
        private enum Need { case nothing, wake(Parker), start }

        let name: String
        private let limit: Int
        private let state = Lock(State())

        init(name: String, threads: Int) {
            self.name = name
            limit = max(1, threads)
        }

        var isOwnThread: Bool { state.withLock { $0.threads.contains(pthreadSelf()) } }

        func add(_ work: @escaping @Sendable () -> Void) {
            let need = state.withLock { state -> Need in
                state.work.append(work)
                if let sleeper = state.idle.popLast() { return .wake(sleeper) }
                guard state.started < limit else { return .nothing }
                state.started += 1
                return .start
            }
            switch need {
            case .nothing: break
            case .wake(let sleeper): sleeper.unpark()
            case .start: startThread()
            }
        }

        func retire() {
            let sleepers = state.withLock { state -> [Parker] in
                state.isRetired = true
                defer { state.idle = [] }
                return state.idle
            }
            for sleeper in sleepers { sleeper.unpark() }
        }

        private func startThread() {
            do {
                try PinnedThread.start(name: name) { self.run() }
            } catch {
                let hasOthers = state.withLock { state -> Bool in
                    guard state.started > 1 else { return false }
                    state.started -= 1
                    return true
                }
                // With fewer threads all work still runs.
                if !hasOthers { PinnedThread.startOrEnd(name: name) { self.run() } }
            }
        }

        private func run() {
            let parker = Parker()
            _ = state.withLock { $0.threads.insert(pthreadSelf()) }
            while true {
                let ticket = parker.ticket()
                let (work, isOver) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                    if let work = state.work.popFirst() { return (work, false) }
                    if state.isRetired {
                        state.threads.remove(pthreadSelf())
                        return (nil, true)
                    }
                    state.idle.append(parker)
                    return (nil, false)
                }
                if isOver { return }
                if let work { work() } else { parker.park(ticket: ticket) }
            }
        }
    }
}
