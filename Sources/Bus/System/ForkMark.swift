import CLinux
import Synchronization

/// Marks what a child made by fork(2) cannot use: threads are not copied, and descriptors are shared with the parent.
package struct ForkMark: ~Copyable, Sendable {
    private static let unset = Int.max
    private let count: Atomic<Int>

    /// - Parameter isSet: false when there is nothing to mark yet.
    package init(isSet: Bool = true) {
        count = Atomic(isSet ? Int(clinux_fork_count()) : Self.unset)
    }

    package func set() { count.store(Int(clinux_fork_count()), ordering: .relaxed) }

    /// Ends the process if it is a child made by fork after the mark was set.
    @inline(__always)
    package func check(_ name: @autoclosure () -> String) {
        let count = count.load(ordering: .relaxed)
        if count != Int(clinux_fork_count()), count != Self.unset { Self.end(name()) }
    }

    @inline(never)
    private static func end(_ name: String) -> Never {
        fatalError(
            "\(name) was made before fork and does not work in the child, which has none of the parent's threads: "
                + "make what the child needs after fork, or start a program with posix_spawn"
        )
    }
}
