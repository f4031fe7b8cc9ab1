public import CLinux
public import Synchronization

/// Whose turn it is to deliver: nobody's, or one thread's. Whoever finds it taken puts what it has in line and says so,
/// and the one whose turn it is looks before it is over.
///
/// That costs two locked instructions each time. Where values come from one source, and only a timer or a handle may
/// come in between, the giving up is a plain store: who comes in between pays for both (`membarrier`, a few
/// microseconds), and only when it finds the turn taken.
@frozen
@usableFromInline
struct DeliveryTurn: ~Copyable, Sendable {
    /// Zero, or a thread's number; the number is there so that a sender inside its own callback can be told, who must not
    /// wait for itself. Where all pay alike, the lowest bit, which no thread's number has, says that something is in line.
    @usableFromInline let holder = Atomic<UInt>(0)
    /// Where one pays for both: that something is in line.
    @usableFromInline let isLineFilled = Atomic<Bool>(false)
    @usableFromInline let isOneSided: Bool

    @usableFromInline static var lineIsFilled: UInt { 1 }

    /// - Parameter othersAreRare: whether hardly ever two want it at once.
    @inlinable
    init(othersAreRare: Bool) {
        // A kernel without the call, or a sandbox that forbids it, leaves the turn as dear as any.
        isOneSided = othersAreRare && clinux_fence_is_granted() != 0
    }

    /// Takes it if it is nobody's.
    @inlinable
    func take(as thread: UInt) -> Bool {
        holder.compareExchange(expected: 0, desired: thread, ordering: .acquiringAndReleasing).exchanged
    }

    /// Gives it up. False when something is in line: then it is still, or again, the caller's, who sees to the line.
    ///
    /// It does not look at the holder before: reading what this processor has just exchanged makes it wait for that.
    @inlinable
    func giveUp(as thread: UInt) -> Bool {
        guard isOneSided else {
            return holder.compareExchange(expected: thread, desired: 0, ordering: .acquiringAndReleasing).exchanged
        }
        holder.store(0, ordering: .releasing)
        clinux_fence_light()
        guard isLineFilled.load(ordering: .relaxed) else { return true }
        // Who has it meanwhile sees the same when it gives it up.
        return !take(as: thread)
    }

    /// Whether whoever has just taken it finds something in line, which comes first: where one pays for both, the turn is
    /// nobody's for a moment before the line is seen to. What the caller itself put there is not overlooked.
    @inlinable
    var hasLine: Bool { isLineFilled.load(ordering: .relaxed) }

    /// Called by whoever has it, before it sees to the line: what is put there from here on is announced anew.
    @usableFromInline
    func beginLine(as thread: UInt) {
        if isOneSided {
            _ = isLineFilled.exchange(false, ordering: .acquiringAndReleasing)
        } else {
            _ = holder.exchange(thread, ordering: .acquiringAndReleasing)
        }
    }

    /// Says that something is in line. True when the turn was nobody's, and is the caller's now, who sees to the line.
    @usableFromInline
    func announceLine(as thread: UInt) -> Bool {
        guard isOneSided else {
            return holder.bitwiseOr(Self.lineIsFilled, ordering: .acquiringAndReleasing).oldValue == 0
        }
        if take(as: thread) { return true }
        isLineFilled.store(true, ordering: .releasing)
        // A thread sees what it has written itself.
        if isTaken(by: thread) { return false }
        // If the turn still seems taken after this, its holder has yet to look at the line.
        clinux_fence_heavy()
        return take(as: thread)
    }

    /// Whether it is this thread that delivers.
    @usableFromInline
    func isTaken(by thread: UInt) -> Bool {
        holder.load(ordering: .relaxed) & ~Self.lineIsFilled == thread
    }
}
