/// Makes senders wait for room in a bounded queue, where a thread may be made to wait.
@usableFromInline
final class WaitingRoom: Sendable {
    @usableFromInline
    enum Admission {
        /// The queue took the value.
        case admitted
        /// The queue is full, and this thread must not wait.
        case refused
        /// The queue takes nothing any more.
        case closed
    }

    private let parker = Parker()

    @usableFromInline
    init() {}

    /// Tries `attempt` until it succeeds, sleeping in between, unless the thread may not or the queue has closed.
    @usableFromInline
    func admit(mayWait: () -> Bool, isClosed: () -> Bool, attempt: () -> Bool) -> Admission {
        // There is room nearly always, and then no lock of the parker's is needed to learn it.
        if attempt() { return .admitted }
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
    func wake() { parker.unpark() }
}
