public import Synchronization

/// Turns recursion into a loop: a turn asked for from inside a turn is taken after it, by the same caller.
///
/// This is how a million synchronous signals on end need no more stack than one. Who asks while another thread takes
/// turns leaves it to that thread.
@usableFromInline
package struct Trampoline: ~Copyable, Sendable {
    /// Turns asked for. Who raises it from zero takes them all.
    @usableFromInline let asked = Atomic<Int>(0)

    @inlinable
    package init() {}

    @inlinable
    package borrowing func run(_ turn: () -> Void) {
        guard asked.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        turn()
        leave(taking: turn)
    }

    /// Begins a turn if nobody takes one. A caller that gets true calls ``leave(taking:)`` when it is over.
    @inlinable
    borrowing func enter() -> Bool {
        asked.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// Ends a turn, and takes those that were asked for meanwhile.
    @inlinable
    borrowing func leave(taking turn: () -> Void) {
        while asked.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0 { turn() }
    }
}
