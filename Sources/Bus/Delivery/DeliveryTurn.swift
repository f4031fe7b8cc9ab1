public import Synchronization

/// Whose turn it is to deliver: nobody's, or one thread's. Whoever finds it taken puts what it has in line and says so,
/// and the one whose turn it is looks before it is over.
///
/// `Models/turn.pml` is this, checked for three threads.
@frozen
@usableFromInline
struct DeliveryTurn: ~Copyable, Sendable {
    /// Zero, or a thread's number, so that a sender inside its own callback can be told. The lowest bit, which no thread's
    /// number has, says that something is in line.
    @usableFromInline let holder = Atomic<UInt>(0)

    @usableFromInline static var lineIsFilled: UInt { 1 }

    @inlinable
    init() {}

    /// Takes it if it is nobody's.
    @inlinable
    func take(as thread: UInt) -> Bool {
        holder.compareExchange(expected: 0, desired: thread, ordering: .acquiringAndReleasing).exchanged
    }

    /// Gives it up. False when something is in line: then it is still the caller's, who sees to the line.
    ///
    /// It does not look at the holder before: reading what this processor has just exchanged makes it wait for that.
    @inlinable
    func giveUp(as thread: UInt) -> Bool {
        holder.compareExchange(expected: thread, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    /// Called by whoever has it, before it sees to the line: what is put there from here on is announced anew.
    @usableFromInline
    func beginLine(as thread: UInt) {
        _ = holder.exchange(thread, ordering: .acquiringAndReleasing)
    }

    /// Says that something is in line. True when the turn was nobody's, and is the caller's now, who sees to the line.
    @usableFromInline
    func announceLine(as thread: UInt) -> Bool {
        holder.bitwiseOr(Self.lineIsFilled, ordering: .acquiringAndReleasing).oldValue == 0
    }

    /// Whether it is this thread that delivers.
    @usableFromInline
    func isTaken(by thread: UInt) -> Bool {
        holder.load(ordering: .relaxed) & ~Self.lineIsFilled == thread
    }
}
