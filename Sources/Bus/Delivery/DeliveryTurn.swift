public import Synchronization

/// Whose turn it is to deliver: nobody's, or somebody's. Whoever finds it taken puts what it has in line and says so, and the
/// one whose turn it is looks before it is over.
///
/// `Models/turn.pml` is this, checked for three threads.
@frozen
@usableFromInline
struct DeliveryTurn: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<UInt8>(0)

    @usableFromInline static var free: UInt8 { 0 }
    /// The lowest bit: something is in line.
    @usableFromInline static var lineIsFilled: UInt8 { 1 }
    @usableFromInline static var taken: UInt8 { 2 }

    @inlinable
    init() {}

    /// Takes it if it is nobody's.
    @inlinable
    func take() -> Bool {
        word.compareExchange(expected: Self.free, desired: Self.taken, ordering: .acquiringAndReleasing).exchanged
    }

    /// Gives it up. False when something is in line: then it is still the caller's, who sees to the line.
    ///
    /// It does not look at the word before: reading what this processor has just exchanged makes it wait for that.
    @inlinable
    func giveUp() -> Bool {
        word.compareExchange(expected: Self.taken, desired: Self.free, ordering: .acquiringAndReleasing).exchanged
    }

    /// Called by whoever has it, before it sees to the line: what is put there from here on is announced anew.
    @usableFromInline
    func beginLine() {
        _ = word.exchange(Self.taken, ordering: .acquiringAndReleasing)
    }

    /// Says that something is in line. True when the turn was nobody's, and is the caller's now, who sees to the line.
    @usableFromInline
    func announceLine() -> Bool {
        word.bitwiseOr(Self.lineIsFilled, ordering: .acquiringAndReleasing).oldValue == Self.free
    }
}
