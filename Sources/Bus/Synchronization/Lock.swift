/// The package's only lock: short, not recursive, never held while foreign code runs.
///
/// A word beside the state it guards. `Synchronization.Mutex` is several times slower when two threads want it (its futex
/// hands priority on, at a system call each), and Thread Sanitizer does not understand it; a pthread mutex takes twice as
/// long while nobody else wants it.
@usableFromInline
package struct Lock<State: ~Copyable>: @unchecked Sendable {
    // The state is touched with the lock held; both live in the storage, which all copies share.
    @usableFromInline let storage: LockStorage<State>

    @inlinable
    package init(_ state: consuming sending State) {
        storage = LockStorage(state)
    }

    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        LockWord.lock(storage.word)
        defer { LockWord.unlock(storage.word) }
        return try body(&storage.state.pointee)
    }
}

@usableFromInline
final class LockStorage<State: ~Copyable> {
    // Two parts of one allocation, made and freed with this object.
    @usableFromInline let word: UnsafeMutablePointer<LockWord>
    @usableFromInline let state: UnsafeMutablePointer<State>

    @inlinable
    init(_ state: consuming sending State) {
        let alignment = max(MemoryLayout<LockWord>.alignment, MemoryLayout<State>.alignment)
        let offset = (MemoryLayout<LockWord>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<State>.size,
            alignment: alignment
        )
        word = memory.bindMemory(to: LockWord.self, capacity: 1)
        word.initialize(to: LockWord())
        self.state = (memory + offset).bindMemory(to: State.self, capacity: 1)
        self.state.initialize(to: state)
    }

    deinit {
        state.deinitialize(count: 1)
        word.deinitialize(count: 1)
        UnsafeMutableRawPointer(word).deallocate()
    }
}
