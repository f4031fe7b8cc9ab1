import Synchronization

/// Makes senders wait for room in a bounded queue, where a thread may be made to wait.
@usableFromInline
package final class WaitingRoom: Sendable {
    @usableFromInline
    package enum Admission {
        /// The queue took the value.
        case admitted
        /// The queue is full, and this thread must not wait.
        case refused
        /// The queue takes nothing any more.
        case closed
    }

    private let parker = Parker()
    /// Threads that are about to sleep or do; with none, there is no one to wake.
    private let waiting = Atomic<Int>(0)

    @usableFromInline
    package init() {}

    /// Tries `attempt` until it succeeds, sleeping in between, unless the thread may not or the queue has closed.
    @usableFromInline
    package func admit(mayWait: () -> Bool, isClosed: () -> Bool, attempt: () -> Bool) -> Admission {
        // There is room nearly always, and then no lock of the parker's is needed to learn it.
        if attempt() { return .admitted }
        waiting.add(1, ordering: .sequentiallyConsistent)
        defer { waiting.subtract(1, ordering: .relaxed) }
        while true {
            let ticket = parker.ticket()
            if attempt() { return .admitted }
            if isClosed() { return .closed }
            guard mayWait(), !BlockingRules.isInsideTask else { return .refused }
            parker.park(ticket: ticket)
        }
    }

    /// Says that there is room, or that the queue has closed.
    @usableFromInline
    package func wake() {
        // Pairs with the count's own fence: either a sender that is about to sleep is seen here, or it sees what was
        // changed before this call.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if waiting.load(ordering: .relaxed) > 0 { parker.unpark() }
    }
}
