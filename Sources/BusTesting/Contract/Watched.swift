import Bus
import Glibc

/// Runs `body` on a thread of its own and waits for it, but not for ever; nil when it took longer than `patience`.
/// The thread is then left behind.
func watched<Result: Sendable>(_ patience: Duration, _ body: @escaping @Sendable () -> Result) -> Result? {
    let result = Lock<Result?>(nil)
    let done = Gate()
    onThread {
        let made = body()
        result.withLock { $0 = made }
        done.open()
    }
    done.wait(atMost: patience)
    return result.withLock { $0 }
}

/// Runs `body` on a thread of its own, or here if the system cannot create one.
func onThread(_ body: @escaping @Sendable () -> Void) {
    do {
        try PinnedThread.start(name: "bus-contract", body)
    } catch {
        body()
    }
}

/// Runs both at the same time and returns when both have.
func together(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) {
    let (ready, start, done) = (Latch(), Latch(), Latch())
    onThread {
        ready.open()
        start.wait()
        second()
        done.open()
    }
    ready.wait()
    start.open()
    first()
    done.wait()
}

/// A gate that opens once and can be waited for with a limit.
private final class Gate: @unchecked Sendable {
    // A condition variable needs a pthread mutex. Both are allocated, because they must keep their address, which `&`
    // of a property does not promise; they live as long as this object.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Guarded by `mutex`.
    private var isOpen = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func open() {
        pthread_mutex_lock(mutex)
        isOpen = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait(atMost duration: Duration) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let end = Duration.seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) + duration
        var deadline = timespec(
            tv_sec: Int(end.components.seconds),
            tv_nsec: Int(end.components.attoseconds / 1_000_000_000)
        )
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isOpen, pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT {}
    }
}
