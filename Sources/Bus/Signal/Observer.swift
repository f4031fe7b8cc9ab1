/// Hears the events of a signal.
///
/// An observer has one owner, the source or operator above it, which calls it from one thread at a time. It cannot be
/// copied, and ``terminate(_:)`` consumes it: so the compiler checks that nothing is sent after the end.
///
/// An operator that has a downstream keeps five rules:
/// - When ``next(_:)`` answers ``Demand/stop``, the caller releases what it holds and then terminates the observer.
/// - A value that an operator swallows is answered with the downstream's ``demand``, so that a source learns of a
///   cancellation even while nothing passes the filter.
/// - When it has no queue of its own, it passes a ``Demand/pause`` on, and ``whenReady(_:)`` too.
/// - Values that are ``lost(_:)`` above are passed on as lost, so that the consumer learns how many are missing.
/// - An observer is never called while a lock is held.
public protocol Observer<Value, Failure>: ~Copyable, Sendable {
    /// The type of the values that it hears.
    associatedtype Value: Sendable
    /// The type of the failure that may end the signal; `Never` if none can.
    associatedtype Failure: Error

    /// Takes one value and returns whether another is wanted.
    mutating func next(_ value: Value) -> Demand

    /// Learns that `count` values are missing at this point of the sequence, because a queue above was full.
    mutating func lost(_ count: Int)

    /// Takes the end. The caller has already released what the subscription acquired.
    consuming func terminate(_ termination: Termination<Failure>)

    /// The answer that ``next(_:)`` would give, for an operator that swallowed a value.
    var demand: Demand { get }

    /// Asks to be told when there is room again. The sender calls it after ``Demand/pause``.
    ///
    /// The answer says what happened to the request:
    /// - ``Demand/pause``: `resume` is kept, and called once when there is room, on whatever thread made the room and never
    ///   under a lock. It may be called before this returns, on another thread. A subscription that is disposed of drops it.
    /// - ``Demand/more``: there is room already. `resume` will not be called.
    /// - ``Demand/stop``: nothing more is wanted. `resume` will not be called.
    ///
    /// Others may take the room first, so that a sender that was called back looks at ``demand`` before it goes on, and
    /// perhaps asks again. A sender asks once for each pause: an observer with one sender keeps its last request only, and one
    /// with several senders, which cannot tell whose a request is, keeps each until there is room.
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand
}

/// Gives an observer a stable address, so that closures can share it.
@usableFromInline
package final class ObserverBox<Wrapped: Observer & ~Copyable>: @unchecked Sendable {
    // Only the subscription's one sender touches it, one event at a time (delivery contract 2), so it needs neither a
    // lock nor the dynamic exclusivity check.
    @exclusivity(unchecked)
    @usableFromInline
    package var observer: Wrapped?

    @inlinable
    package init(_ observer: consuming Wrapped) {
        self.observer = consume observer
    }
}
