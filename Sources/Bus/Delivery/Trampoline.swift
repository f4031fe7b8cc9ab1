public import Synchronization

/// Turns recursion into a loop: a turn asked for from inside a turn is taken after it, by the same caller.
///
/// It lets a million consecutive synchronous signals run in the stack of one. A caller that asks while another thread
/// takes turns leaves its turn to that thread.
@usableFromInline
package struct Trampoline: ~Copyable, Sendable {
    /// Turns asked for. The caller that raises it from zero takes them all.
    @usableFromInline let asked = Atomic<Int>(0)

    @inlinable
    package init() {}

    @inlinable
    package borrowing func run(_ turn: () -> Void) {
        guard ask() else { return }
        turn()
        leave(taking: turn)
    }

    /// Asks for a turn. A caller that gets true takes it, and then calls ``leave(taking:)``.
    @inlinable
    borrowing func ask() -> Bool {
        asked.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
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

    /// The same with turns that may answer that they are not over: then it returns false, and the caller has another
    /// thread take the turn up.
    @inlinable
    borrowing func leave(taking turn: () -> Bool) -> Bool {
        while asked.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0 {
            guard turn() else { return false }
        }
        return true
    }
}
