public import Synchronization

/// The exclusive right to deliver. A sender that finds it taken enqueues its event and sets a flag; the holder checks
/// the flag before it releases.
///
/// `Models/turn.pml` models it, checked for three threads.
@frozen
@usableFromInline
struct DeliveryTurn: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<UInt8>(0)

    @usableFromInline static var free: UInt8 { 0 }
    /// The lowest bit: the queue has an event.
    @usableFromInline static var lineIsFilled: UInt8 { 1 }
    @usableFromInline static var taken: UInt8 { 2 }

    @inlinable
    init() {}

    /// Takes the turn if nobody has it.
    @inlinable
    func take() -> Bool {
        word.compareExchange(expected: Self.free, desired: Self.taken, ordering: .acquiringAndReleasing).exchanged
    }

    /// Gives the turn up. False when the queue has an event: then the caller still has the turn, and drains the
    /// queue.
    ///
    /// It does not read the word first: reading a value that this processor has just exchanged makes it wait for the
    /// exchange.
    @inlinable
    func giveUp() -> Bool {
        word.compareExchange(expected: Self.taken, desired: Self.free, ordering: .acquiringAndReleasing).exchanged
    }

    /// Called by the holder before it drains the queue: events that are enqueued from here on set the flag anew.
    @usableFromInline
    func beginLine() {
        _ = word.exchange(Self.taken, ordering: .acquiringAndReleasing)
    }

    /// Sets the flag for an enqueued event. True when nobody had the turn: then the caller has it, and drains the
    /// queue.
    @usableFromInline
    func announceLine() -> Bool {
        word.bitwiseOr(Self.lineIsFilled, ordering: .acquiringAndReleasing).oldValue == Self.free
    }
}
