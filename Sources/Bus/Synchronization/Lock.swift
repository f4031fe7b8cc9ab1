/// The package's only lock: short, not recursive, never held while foreign code runs.
///
/// Copies share one state. One allocation holds the state and the word that guards it.
///
/// `Synchronization.Mutex` is as fast uncontended, but slower when two threads contend: its kernel futex inherits priority and
/// hands the mutex over with a system call each time. Thread Sanitizer does not understand it either. A pthread mutex is
/// slower in both cases.
@usableFromInline
package struct Lock<State: ~Copyable>: @unchecked Sendable {
    // The storage's state is touched only with its word locked.
    @usableFromInline let storage: LockStorage<State>

    @inlinable
    package init(_ state: consuming sending State) {
        storage = LockStorage(state)
    }

    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        storage.word.lock()
        defer { storage.word.unlock() }
        return try body(&storage.state)
    }
}

@usableFromInline
final class LockStorage<State: ~Copyable> {
    @usableFromInline let word = LockWord()
    // Guarded by `word`; hence no exclusivity check.
    @exclusivity(unchecked) @usableFromInline var state: State

    @inlinable
    init(_ state: consuming sending State) {
        self.state = state
    }
}
