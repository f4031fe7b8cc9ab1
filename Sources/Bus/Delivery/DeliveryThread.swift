import Synchronization

/// The threads that deliver what senders have left: see ``DeliveryBudget``.
///
/// Usually there is one. A subscriber that blocks it holds up no other: then another thread starts.
package enum DeliveryThread {
    private static let scheduler = ConcurrentScheduler(name: "bus-delivery", threads: 64)
    /// Work that is not done yet.
    private static let left = Atomic<Int>(0)

    static func run(_ work: @escaping @Sendable () -> Void) {
        left.add(1, ordering: .acquiringAndReleasing)
        scheduler.schedule {
            work()
            left.subtract(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Returns when everything that senders have left is delivered. Blocks the calling thread: for tests.
    package static func settle() {
        repeat {
            let latch = Latch()
            scheduler.schedule { latch.open() }
            latch.wait()
        } while left.load(ordering: .acquiring) > 0
    }
}
