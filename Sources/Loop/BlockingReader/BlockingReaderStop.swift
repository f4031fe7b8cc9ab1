import Bus
import CLinux
import Glibc
import Synchronization

/// Asks a reader's thread to end, also while it sleeps, whatever it sleeps for. Holds a descriptor, which is closed
/// with it.
final class BlockingReaderStop: Disposable {
    private let stopped = Atomic<Bool>(false)
    private let parker = Parker()
    /// Readable once stopped.
    let descriptor: CInt

    init() throws(BlockingReaderError) {
        descriptor = clinux_eventfd_create()
        guard descriptor >= 0 else {
            throw BlockingReaderError(operation: "make a descriptor to wake the reader", code: -descriptor)
        }
    }

    deinit {
        close(descriptor)
    }

    var isDisposed: Bool { stopped.load(ordering: .acquiring) }

    func dispose() {
        guard !stopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // It fails only when it is full, and this is the only signal.
        _ = clinux_eventfd_signal(descriptor)
        parker.unpark()
    }

    /// Makes the reader's thread check its condition again.
    func unpark() { parker.unpark() }

    /// Returns when `isOver` is true or this was disposed of; the condition is checked again after each ``unpark()``.
    /// Blocks the thread.
    func park(until isOver: () -> Bool) {
        while true {
            let ticket = parker.ticket()
            if isDisposed || isOver() { return }
            parker.park(ticket: ticket)
        }
    }
}
