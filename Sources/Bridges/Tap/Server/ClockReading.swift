import Glibc

/// Readings of the system's clocks.
enum ClockReading {
    /// Nanoseconds.
    @inline(__always)
    static func of(_ clock: CInt) -> Int64 {
        var time = timespec()
        // It fails only for a clock that the kernel does not have.
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
