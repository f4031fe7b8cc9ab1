import Glibc

/// Lets one or more threads sleep until another reports a change.
///
/// A wake that comes before the sleep is remembered, so that none is lost: take ``ticket()``, look at the condition,
/// then ``park(ticket:)``, which returns at once when a wake came in between.
@usableFromInline
package final class Parker: @unchecked Sendable {
    // A condition variable needs a pthread mutex. Both are allocated, because they must keep their address, which `&`
    // of a property does not promise; they live as long as this object.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Guarded by `mutex`.
    private var wakes: UInt64 = 0

    @usableFromInline
    package init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func ticket() -> UInt64 {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return wakes
    }

    package func park(ticket: UInt64) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while wakes == ticket {
            pthread_cond_wait(condition, mutex)
        }
    }

    package func unpark() {
        pthread_mutex_lock(mutex)
        wakes &+= 1
        pthread_mutex_unlock(mutex)
        // Not before: a woken thread would find the mutex taken and sleep again.
        pthread_cond_broadcast(condition)
    }
}

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
