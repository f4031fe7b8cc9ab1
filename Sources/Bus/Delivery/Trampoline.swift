public import Synchronization

/// Turns recursion into a loop: a round asked for from inside a round is run after it, by the same caller.
///
/// It lets a million consecutive synchronous signals run in the stack of one. A caller that asks while another thread
/// runs rounds leaves its round to that thread.
@usableFromInline
package struct Trampoline: ~Copyable, Sendable {
    /// Rounds asked for. The caller that raises it from zero takes them all.
    @usableFromInline let asked = Atomic<Int>(0)

    @inlinable
    package init() {}

    @inlinable
    package borrowing func run(_ round: () -> Void) {
        guard ask() else { return }
        round()
        leave(taking: round)
    }

    /// Asks for a round. A caller that gets true runs it, and then calls ``leave(taking:)``.
    @inlinable
    borrowing func ask() -> Bool {
        asked.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
    }

    /// Begins a round if nobody is in one. A caller that gets true calls ``leave(taking:)`` when it is over.
    @inlinable
    borrowing func enter() -> Bool {
        asked.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// Ends a round, and runs those that were asked for meanwhile.
    @inlinable
    borrowing func leave(taking round: () -> Void) {
        while asked.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0 { round() }
    }

    /// The same with rounds that may answer that they are not over: then it returns false, and the caller has another
    /// thread go on with it.
    @inlinable
    borrowing func leave(taking round: () -> Bool) -> Bool {
        while asked.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0 {
            guard round() else { return false }
        }
        return true
    }
}
