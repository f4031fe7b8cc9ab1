import Glibc

/// A clock of the kernel that timers can run on.
package struct SystemClock: Sendable, Hashable {
    /// The kernel's number of the clock.
    package let id: CInt

    /// Never steps; stands still while the machine is suspended.
    package static let monotonic = SystemClock(id: CInt(CLOCK_MONOTONIC))
    /// Never steps; goes on while the machine is suspended.
    package static let boot = SystemClock(id: CInt(CLOCK_BOOTTIME))

    /// The clock's reading in nanoseconds.
    package var now: Int64 {
        var time = timespec()
        // It fails only for a clock that the kernel does not have, and those above are older than every kernel we run
        // on.
        clock_gettime(id, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
