import Bus
import DequeModule

/// Work of the thread that reads a journal, which another thread may do in its place.
protocol SharedWork: AnyObject, Sendable {
    /// Does all of it on a thread beside the reader, unless another thread has begun it.
    func run()
}

/// Threads that work for the thread that reads a journal. They are started when there is work, and end when this object is
/// released.
final class WorkerThreads: Sendable {
    private let core: Core

    /// How many threads may work at once, the reading one among them.
    let count: Int

    /// - Parameter count: with the reading thread. With one, all is done there.
    init(_ count: Int) {
        self.count = max(1, count)
        core = Core(limit: self.count - 1)
    }

    deinit { core.end() }

    /// Has the work done, in this order, as far as there are threads for it.
    func begin(_ work: some Collection<some SharedWork>) {
        if count > 1 { core.add(work) }
    }

    /// Held by the threads, which do not hold the object above.
    private final class Core: Sendable {
        private struct State: Sendable {
            var waiting: Deque<any SharedWork> = []
            var started = 0
            var sleeping = 0
            var isOver = false
        }

        private let limit: Int
        private let state = Lock(State())
        private let work = Parker()

        init(limit: Int) { self.limit = limit }

        func add(_ works: some Collection<some SharedWork>) {
            let wanted = state.withLock { state -> Int in
                for work in works { state.waiting.append(work) }
                let wanted = min(max(0, works.count - state.sleeping), limit - state.started)
                state.started += wanted
                return wanted
            }
            work.unpark()
            for _ in 0..<wanted { start() }
        }

        func end() {
            let dropped = state.withLock { state in
                state.isOver = true
                defer { state.waiting = [] }
                return state.waiting
            }
            withExtendedLifetime(dropped) {}
            work.unpark()
        }

        private func start() {
            do {
                try PinnedThread.start(name: "bus-worker") { self.run() }
            } catch {
                // The reading thread does the work that no other has begun.
                state.withLock { $0.started -= 1 }
            }
        }

        private func run() {
            while true {
                let ticket = work.ticket()
                let (next, isOver) = state.withLock { state -> ((any SharedWork)?, Bool) in
                    if let next = state.waiting.popFirst() { return (next, false) }
                    if !state.isOver { state.sleeping += 1 }
                    return (nil, state.isOver)
                }
                if isOver { return }
                if let next {
                    next.run()
                } else {
                    work.park(ticket: ticket)
                    state.withLock { $0.sleeping -= 1 }
                }
            }
        }
    }
}
