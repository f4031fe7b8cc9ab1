import Bus
import Foundation

/// Counts what is still held.
package final class Alive: Sendable {
    package final class Token: Sendable {
        private let alive: Alive

        fileprivate init(_ alive: Alive) {
            self.alive = alive
            alive.count.withLock { $0 += 1 }
        }

        deinit {
            alive.count.withLock { $0 -= 1 }
        }

        package func sing() {}
    }

    private let count = Lock(0)

    package init() {}

    package func token() -> Token { Token(self) }

    package func waitForNone() {
        while count.withLock({ $0 }) > 0 { usleep(50) }
    }
}
