import CLinux
import Synchronization

/// The caller of a ``SerialObserver``.
@frozen
@usableFromInline
package enum DeliveryCaller: Sendable {
    /// Sends an event, or calls back because there is room. It delivers for other threads within a ``DeliveryBudget``.
    case sender
    /// Subscribes, disposes or drops something. It delivers nothing for other threads.
    case visitor
}

/// Bounds what one call delivers for other threads: so many events, and so much time.
///
/// Without a bound, a call would not return as long as others send. Calls inside the call share its bound. What the
/// calling thread itself has sent is delivered without a bound.
package struct DeliveryBudget: ~Copyable {
    static var events: Int32 { 1024 }
    static var nanoseconds: Int64 { 1_000_000 }

    // The thread's own; a delivery does not change its thread.
    private let share: UnsafeMutablePointer<clinux_delivery_share>
    private let caller: DeliveryCaller

    package init(_ caller: DeliveryCaller) {
        self.caller = caller
        share = clinux_this_delivery_share()
        if share.pointee.depth == 0 {
            share.pointee.events = Self.events
            share.pointee.deadline = 0
        }
        share.pointee.depth += 1
    }

    deinit {
        share.pointee.depth -= 1
    }

    /// Whether no further event of another thread is to be delivered.
    package var isSpent: Bool { caller == .visitor || share.pointee.events <= 0 }

    /// An event of another thread was delivered. The time counts from the first one.
    package func spend() {
        let now = MonotonicTime.nanoseconds
        if share.pointee.deadline == 0 { share.pointee.deadline = now + Self.nanoseconds }
        share.pointee.events = now < share.pointee.deadline ? share.pointee.events - 1 : 0
    }
}

/// The threads that deliver what senders have left: see ``DeliveryBudget``.
///
/// Usually there is one. A subscriber that blocks it holds up no other: then another thread starts.
package enum DeliveryThread {
    private static let scheduler = ConcurrentScheduler(name: "bus-delivery", threads: 64)
    /// Work that is not done yet.
    private static let left = Atomic<Int>(0)

    package static func run(_ work: @escaping @Sendable () -> Void) {
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
