/// A gate that opens once, for good.
package final class Latch: Sendable {
    private let isOpen = Lock(false)
    private let parker = Parker()

    package init() {}

    package func open() {
        isOpen.withLock { $0 = true }
        parker.unpark()
    }

    /// Returns when the gate is open. Blocks the thread.
    package func wait() {
        while true {
            let ticket = parker.ticket()
            if isOpen.withLock({ $0 }) { return }
            parker.park(ticket: ticket)
        }
    }
}
