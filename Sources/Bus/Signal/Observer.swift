/// Hears what a signal says.
///
/// An observer has one owner, the source or operator above it, which calls it from one thread at a time. It cannot be
/// copied, and ``terminate(_:)`` consumes it: that nothing is sent after the end is checked by the compiler.
///
/// An operator that has a downstream keeps four rules:
/// - When ``next(_:)`` answers ``Demand/stop``, the caller releases what it holds and then terminates the observer.
/// - A value that an operator swallows is answered with the downstream's ``demand``, so that a source learns of a
///   cancellation even while nothing passes the filter.
/// - What is ``lost(_:)`` above is passed on, so that whoever consumes the values learns how many are missing.
/// - An observer is never called while a lock is held.
public protocol Observer<Value, Failure>: ~Copyable, Sendable {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    /// Takes one value and answers whether another is wanted.
    mutating func next(_ value: Value) -> Demand

    /// Learns that `count` values are missing in this place: they found a queue above full.
    mutating func lost(_ count: Int)

    /// Takes the end. The caller has already released what the subscription acquired.
    consuming func terminate(_ termination: Termination<Failure>)

    /// What ``next(_:)`` would answer, for an operator that swallowed a value.
    var demand: Demand { get }
}
