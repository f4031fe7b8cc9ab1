import Bus

/// Counts the tokens that are still held.
package final class Alive: Sendable {
    package final class Token: Sendable {
        private let alive: Alive

        fileprivate init(_ alive: Alive) {
            self.alive = alive
            alive.count.withLock { $0 += 1 }
        }

        deinit {
            let isLast = alive.count.withLock { count -> Bool in
                count -= 1
                return count == 0
            }
            if isLast { alive.parker.unpark() }
        }

        package func sing() {}
    }

    private let count = Lock(0)
    private let parker = Parker()

    package init() {}

    package func token() -> Token { Token(self) }

    /// Blocks the thread. If a task or an actor releases the object, use ``offThePool(_:)``.
    package func waitForNone() {
        while true {
            let ticket = parker.ticket()
            if count.withLock({ $0 }) == 0 { return }
            parker.park(ticket: ticket)
        }
    }
}

/// Shows by a weak reference whether what holds it has been freed.
package final class Canary: Sendable {
    package init() {}

    package func sing() {}
}
