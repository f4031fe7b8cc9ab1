import Synchronization

/// The thread that delivers what senders have left: see ``DeliveryBudget``.
package enum DeliveryThread {
    private static let scheduler = ThreadScheduler(name: "bus-delivery")
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
        while left.load(ordering: .acquiring) > 0 {
            let latch = Latch()
            scheduler.schedule { latch.open() }
            latch.wait()
        }
    }
}
