import Glibc
import Synchronization

/// Runs work one piece at a time on a thread of its own, in the order given.
///
/// The thread starts with the first piece of work and ends when the scheduler is released and all work is done. Work
/// may block; it delays only what was given to the same scheduler. The queue of work is not bounded: bound what feeds
/// it, as `deliver(on:)` does, which never has more than one piece here.
public final class ThreadScheduler: Scheduler {
    /// Serves everything that was given no scheduler: timers, OS signals, descriptors.
    public static let shared = ThreadScheduler(name: "bus-events")

    private let core: Core

    /// - Parameter name: what `ps -L` shows for the thread; the first 15 bytes count.
    public init(name: String) {
        core = Core(name: name)
    }

    deinit {
        core.retire()
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) { core.add(work) }

    public var description: String { core.name }

    public var isCurrent: Bool { core.thread.load(ordering: .relaxed) == pthreadSelf() }

    /// What the thread holds, so that it does not hold the scheduler.
    private final class Core: Sendable {
        private struct State {
            var work: [@Sendable () -> Void] = []
            var hasThread = false
            var isRetired = false
        }

        let thread = Atomic<UInt>(0)
        let name: String
        private let state = Lock(State())
        private let parker = Parker()

        init(name: String) {
            self.name = name
        }

        func add(_ work: @escaping @Sendable () -> Void) {
            let (wasIdle, needsThread) = state.withLock { state -> (Bool, Bool) in
                defer { state.hasThread = true }
                state.work.append(work)
                return (state.work.count == 1, !state.hasThread)
            }
            if needsThread {
                startThread()
            } else if wasIdle {
                parker.unpark()
            }
        }

        func retire() {
            state.withLock { $0.isRetired = true }
            parker.unpark()
        }

        private func startThread() {
            do {
                try PinnedThread.start(name: name) { self.run() }
            } catch {
                // Work that was accepted and can never run is a lost promise, and there is no one to tell.
                fatalError(error.description)
            }
        }

        private func run() {
            thread.store(pthreadSelf(), ordering: .relaxed)
            while true {
                let ticket = parker.ticket()
                let (batch, isRetired) = state.withLock { state -> ([@Sendable () -> Void], Bool) in
                    defer { state.work = [] }
                    return (state.work, state.isRetired)
                }
                for work in batch { work() }
                guard batch.isEmpty else { continue }
                if isRetired { return }
                parker.park(ticket: ticket)
            }
        }
    }
}
