import Glibc

/// `CLOCK_MONOTONIC`, for code that measures spans and has no scheduler.
package enum MonotonicTime {
    /// Nanoseconds since the machine started.
    @inline(__always)
    package static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
