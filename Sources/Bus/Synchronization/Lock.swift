import CLinux
public import Synchronization

/// The package's only lock: short, not recursive, never held while foreign code runs.
///
/// A closure returns whatever it takes out of the state, also where the caller has no use for it. So a value is released when the
/// lock is free: its deinitialiser may run any code. `withExtendedLifetime` shows such a place.
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

    /// For storage that is made later than what has it.
    init(_ storage: LockStorage<State>) {
        self.storage = storage
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

/// The word that a ``Lock`` is locked with: a futex of three states.
///
/// An object of which there are many holds a word and its state itself, and so saves the lock's own allocation.
///
/// Taking and releasing an uncontended lock costs one atomic instruction each. Only a thread that has to wait marks the word
/// as contended, and only the release of a contended word makes a system call. `Models/lock.pml` checks it.
@usableFromInline
package struct LockWord: ~Copyable {
    @usableFromInline static var free: UInt32 { 0 }
    @usableFromInline static var held: UInt32 { 1 }
    /// Held, and a thread may sleep until it is released.
    @usableFromInline static var contended: UInt32 { 2 }

    @usableFromInline let value = Atomic<UInt32>(Self.free)

    @inlinable
    package init() {}

    @inlinable
    @inline(__always)
    package borrowing func lock() {
        let (isTaken, _) = value.compareExchange(expected: Self.free, desired: Self.held, ordering: .acquiring)
        if !isTaken { lockContended() }
    }

    @inlinable
    @inline(__always)
    package borrowing func unlock() {
        if value.exchange(Self.free, ordering: .releasing) == Self.contended { wakeOne() }
    }

    /// Sleeps at once. With spinning, a sender and a receiver that both want the lock alternate at every event; while one of
    /// them sleeps, the other handles many.
    ///
    /// A thread that has slept takes the lock as contended, because others may still sleep.
    @usableFromInline
    @inline(never)
    borrowing func lockContended() {
        while value.exchange(Self.contended, ordering: .acquiring) != Self.free {
            // An atomic is never moved, so this address is the same for all threads.
            withUnsafePointer(to: value) { clinux_futex_wait($0, Self.contended) }
        }
    }

    @usableFromInline
    @inline(never)
    borrowing func wakeOne() {
        withUnsafePointer(to: value) { clinux_futex_wake($0) }
    }
}
