import Glibc

/// The system's clocks in microseconds, as the journal counts.
enum Clocks {
    static func monotonic() -> UInt64 { read(CLOCK_MONOTONIC) }
    static func realtime() -> UInt64 { read(CLOCK_REALTIME) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
