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
        guard asked.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat { turn() } while asked.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
