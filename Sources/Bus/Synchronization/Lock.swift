public import Glibc

/// The package's only lock: short, not recursive, never held while foreign code runs.
///
/// A pthread mutex beside the state it guards. `Synchronization.Mutex` is as fast while nobody else wants
/// it, several times slower when two threads do (its futex hands priority on, at a system call each), and Thread
/// Sanitizer does not understand it.
@usableFromInline
package struct Lock<State: ~Copyable>: @unchecked Sendable {
    // The state is touched with the mutex held; both live in the storage, which all copies share.
    @usableFromInline let storage: LockStorage<State>

    @inlinable
    package init(_ state: consuming sending State) {
        storage = LockStorage(state)
    }

    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.mutex)
        defer { pthread_mutex_unlock(storage.mutex) }
        return try body(&storage.state.pointee)
    }
}

@usableFromInline
final class LockStorage<State: ~Copyable> {
    // Two parts of one allocation, made and freed with this object.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let state: UnsafeMutablePointer<State>

    @inlinable
    init(_ state: consuming sending State) {
        let alignment = max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<State>.alignment)
        let offset = (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<State>.size,
            alignment: alignment
        )
        mutex = memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.state = (memory + offset).bindMemory(to: State.self, capacity: 1)
        self.state.initialize(to: state)
    }

    deinit {
        state.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
        UnsafeMutableRawPointer(mutex).deallocate()
    }
}
