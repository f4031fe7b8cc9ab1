import Bus
import CLinux
import Glibc
import Synchronization

/// Asks a reader's thread to end, also while it sleeps, whatever it sleeps for. Holds a descriptor, which goes with it.
final class ReaderStop: Disposable {
    private let stopped = Atomic<Bool>(false)
    private let parker = Parker()
    /// Readable once stopped.
    let descriptor: CInt

    init() throws(JournalError) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw JournalError("make a descriptor to wake the reader", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    var isDisposed: Bool { stopped.load(ordering: .acquiring) }

    func dispose() {
        guard !stopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        eventfd_write(descriptor, 1)
        parker.unpark()
    }

    /// Looks again at what the reader's thread is parked for.
    func unpark() { parker.unpark() }

    /// Returns when `isOver` is true or this was disposed of; it is looked at again after each ``unpark()``. Blocks the
    /// thread.
    func park(until isOver: () -> Bool) {
        while true {
            let ticket = parker.ticket()
            if isDisposed || isOver() { return }
            parker.park(ticket: ticket)
        }
    }
}
