public import Synchronization

/// The exclusive right to deliver. A sender that finds it taken enqueues its event and sets a flag; the holder checks
/// the flag before it releases.
///
/// A holder that has delivered enough for others offers the turn with events in the queue. The next sender takes it, or
/// the thread that the holder has asked to come (`SerialObserver.handOn()`).
///
/// `Models/turn.pml` models it, with two senders, a caller that only subscribes or disposes, and the package's thread.
@frozen
@usableFromInline
struct DeliveryTurn: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<UInt8>(0)

    @usableFromInline static var free: UInt8 { 0 }
    /// The lowest bit: the queue has an event. Without the bit beside it, the turn is offered.
    @usableFromInline static var hasEvents: UInt8 { 1 }
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
    func beginDraining() {
        _ = word.exchange(Self.taken, ordering: .acquiringAndReleasing)
    }

    /// Gives the turn up with events in the queue.
    @usableFromInline
    func offer() {
        _ = word.exchange(Self.hasEvents, ordering: .acquiringAndReleasing)
    }

    /// Takes a turn that is offered. A caller that gets true drains the queue.
    @usableFromInline
    func takeOffered() -> Bool {
        word.compareExchange(expected: Self.hasEvents, desired: Self.taken, ordering: .acquiringAndReleasing)
            .exchanged
    }

    /// Sets the flag for an enqueued event. True when nobody had the turn: then the caller has it, and drains the
    /// queue.
    @usableFromInline
    func announce() -> Bool {
        word.bitwiseOr(Self.hasEvents | Self.taken, ordering: .acquiringAndReleasing).oldValue & Self.taken == 0
    }

    /// Does the same, but leaves a turn that is offered to the others: their events are before the caller's.
    @usableFromInline
    func announceBehindOthers() -> Bool {
        var present = word.load(ordering: .relaxed)
        while true {
            // An offered turn is written, too, so that whoever takes it sees the event.
            let desired = present == Self.free ? Self.taken | Self.hasEvents : present | Self.hasEvents
            let (exchanged, original) = word.compareExchange(
                expected: present,
                desired: desired,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return present == Self.free }
            present = original
        }
    }
}
