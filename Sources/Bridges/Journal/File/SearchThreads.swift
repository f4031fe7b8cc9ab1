import Bus
import DequeModule

/// Threads that search segments of files beside the thread that reads them. They are started when there is work, and end when
/// this object is released.
final class SearchThreads: Sendable {
    private let core: Core

    /// How many segments may be searched at once, the reading thread's own among them.
    let count: Int

    /// - Parameter count: with the reading thread. With one, all is searched there.
    init(_ count: Int) {
        self.count = max(1, count)
        core = Core(limit: self.count - 1)
    }

    deinit { core.end() }

    /// Has the segments searched, in this order, as far as there are threads for it.
    func search(_ segments: some Collection<ValueSegment>) {
        if count > 1 { core.add(segments) }
    }

    /// Held by the threads, which do not hold the object above.
    private final class Core: Sendable {
        private struct State: Sendable {
            var waiting: Deque<ValueSegment> = []
            var started = 0
            var sleeping = 0
            var isOver = false
        }

        private let limit: Int
        private let state = Lock(State())
        private let work = Parker()

        init(limit: Int) { self.limit = limit }

        func add(_ segments: some Collection<ValueSegment>) {
            let wanted = state.withLock { state -> Int in
                state.waiting.append(contentsOf: segments)
                let wanted = min(max(0, segments.count - state.sleeping), limit - state.started)
                state.started += wanted
                return wanted
            }
            work.unpark()
            for _ in 0..<wanted { start() }
        }

        func end() {
            state.withLock { state in
                state.isOver = true
                state.waiting = []
            }
            work.unpark()
        }

        private func start() {
            do {
                try PinnedThread.start(name: "bus-search") { self.run() }
            } catch {
                // The reading thread searches what nobody else has claimed.
                state.withLock { $0.started -= 1 }
            }
        }

        private func run() {
            while true {
                let ticket = work.ticket()
                let (segment, isOver) = state.withLock { state -> (ValueSegment?, Bool) in
                    if let segment = state.waiting.popFirst() { return (segment, false) }
                    if !state.isOver { state.sleeping += 1 }
                    return (nil, state.isOver)
                }
                if isOver { return }
                if let segment {
                    segment.run()
                } else {
                    work.park(ticket: ticket)
                    state.withLock { $0.sleeping -= 1 }
                }
            }
        }
    }
}
