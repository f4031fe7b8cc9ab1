#if TSAN
    public import Glibc
#else
    public import Synchronization
#endif

/// The package's only lock: short, not recursive, never held while foreign code runs.
///
/// It is `Synchronization.Mutex`, except under Thread Sanitizer (`-DTSAN`), which does not understand that lock and
/// reports races on what it guards; there it is a pthread mutex.
@usableFromInline
package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
    #if TSAN
        // The pointers are owned by this value alone and freed with it; the mutex guards `state`.
        @usableFromInline nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
        @usableFromInline nonisolated(unsafe) let state: UnsafeMutablePointer<State>

        @usableFromInline
        package init(_ state: consuming sending State) {
            mutex = .allocate(capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
            self.state = .allocate(capacity: 1)
            self.state.initialize(to: state)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
            state.deinitialize(count: 1)
            state.deallocate()
        }

        @usableFromInline
        package func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending State) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    #else
        @usableFromInline let mutex: Mutex<State>

        @inlinable
        package init(_ state: consuming sending State) {
            mutex = Mutex(state)
        }

        @inlinable
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending State) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    #endif
}
