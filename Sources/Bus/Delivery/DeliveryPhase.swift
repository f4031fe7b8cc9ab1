public import Synchronization

/// How far the delivery to one observer is. Any thread reads and changes it.
///
/// | phase | meaning | next |
/// | --- | --- | --- |
/// | open | values pass | paused, stopping, closed |
/// | paused | there is no room, and senders are to pause | open, stopping, closed |
/// | stopping | the observer wants no more; the sender that was told so is expected to send the end | closed |
/// | closed | the end was heard, or the subscription disposed of | |
@frozen
@usableFromInline
package struct DeliveryPhase: ~Copyable, Sendable {
    @usableFromInline static var open: UInt8 { 0 }
    @usableFromInline static var paused: UInt8 { 1 }
    @usableFromInline static var stopping: UInt8 { 2 }
    @usableFromInline static var closed: UInt8 { 3 }

    @usableFromInline let value = Atomic<UInt8>(Self.open)

    @inlinable
    init() {}

    // MARK: For the holder of the turn, who needs nothing that others have written

    @inlinable
    var isOpen: Bool { value.load(ordering: .relaxed) == Self.open }

    @inlinable
    var isPaused: Bool { value.load(ordering: .relaxed) == Self.paused }

    /// Whether a value may be delivered, paused or not.
    @inlinable
    var takesValues: Bool { value.load(ordering: .relaxed) < Self.stopping }

    // MARK: For everybody

    /// Whether nothing more is wanted: stopping, or closed.
    @inlinable
    var isClosing: Bool { value.load(ordering: .acquiring) >= Self.stopping }

    @inlinable
    var isClosed: Bool { value.load(ordering: .acquiring) == Self.closed }

    @inlinable
    var demand: Demand {
        switch value.load(ordering: .acquiring) {
        case Self.open: .more
        case Self.paused: .pause
        default: .stop
        }
    }

    /// From open to paused. False if it is not open.
    @inlinable
    @discardableResult
    func pause() -> Bool { change(from: Self.open, to: Self.paused) }

    /// From paused to open. False if it is not paused.
    @inlinable
    @discardableResult
    func reopen() -> Bool { change(from: Self.paused, to: Self.open) }

    /// To stopping, unless it is closed.
    @inlinable
    func stop() {
        while takesValues {
            if change(from: Self.open, to: Self.stopping) || change(from: Self.paused, to: Self.stopping) { return }
        }
    }

    /// The phase before it was closed; open and paused are one.
    @usableFromInline
    enum Former { case delivering, stopping, closed }

    /// From any phase to closed.
    @usableFromInline
    @discardableResult
    func close() -> Former {
        switch value.exchange(Self.closed, ordering: .acquiringAndReleasing) {
        case Self.stopping: .stopping
        case Self.closed: .closed
        default: .delivering
        }
    }

    @inlinable
    func change(from old: UInt8, to new: UInt8) -> Bool {
        value.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
}
