public import CLinux
public import Synchronization

/// What a ``Lock`` is locked with.
///
/// Giving it up is a plain store and then a look at whether anybody sleeps, in an order that only the compiler is held to:
/// who has to sleep, hence spends microseconds anyway, pays for the processor's order too (`membarrier`).
@frozen
@usableFromInline
struct LockWord: ~Copyable {
    /// One while somebody has the lock. First of all, so that its address is that of the whole.
    @usableFromInline let isHeld = Atomic<UInt32>(0)
    /// How many sleep until it is given up, or are about to.
    @usableFromInline let sleepers = Atomic<UInt32>(0)
    @usableFromInline let isOneSided: Bool

    /// - Parameter isOneSided: a kernel without the call, or a sandbox that forbids it, leaves it to both to keep the
    ///   order.
    @usableFromInline
    init(isOneSided: Bool = clinux_fence_is_granted() != 0) {
        self.isOneSided = isOneSided
    }

    @inlinable
    @inline(__always)
    static func lock(_ word: UnsafeMutablePointer<LockWord>) {
        if !word.pointee.take() { lockLater(word) }
    }

    @inlinable
    @inline(__always)
    static func unlock(_ word: UnsafeMutablePointer<LockWord>) {
        if word.pointee.isOneSided {
            word.pointee.isHeld.store(0, ordering: .releasing)
            clinux_fence_light()
        } else {
            _ = word.pointee.isHeld.exchange(0, ordering: .sequentiallyConsistent)
        }
        if word.pointee.sleepers.load(ordering: .relaxed) != 0 { clinux_futex_wake(word) }
    }

    @inlinable
    @inline(__always)
    func take() -> Bool {
        isHeld.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// Sleeps at once: looking again and again would keep two who both want it, a sender and a receiver say, at one event
    /// each, where sleeping lets either do many (20 ns an event from thread to thread instead of 350).
    @usableFromInline
    @inline(never)
    static func lockLater(_ word: UnsafeMutablePointer<LockWord>) {
        let others = word.pointee.sleepers.add(1, ordering: .sequentiallyConsistent).oldValue
        // After this, whoever still seems to have the lock will look whether anybody sleeps. Where there are others, one
        // of them sees to that, or will itself have the lock and look when it gives it up.
        if others == 0, word.pointee.isOneSided { clinux_fence_heavy() }
        while !word.pointee.take() { clinux_futex_wait(word, 1) }
        word.pointee.sleepers.subtract(1, ordering: .relaxed)
    }
}
