import CLinux
import Glibc

/// Waiting for some microseconds for what another processor does.
enum BriefWait {
    /// Whether there is another processor.
    static let hasCompany = sysconf(CInt(_SC_NPROCESSORS_ONLN)) > 1

    /// Monotonic time in nanoseconds.
    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Leaves the memory that is looked at to the others for about a tenth of a microsecond.
    static func pause() {
        for _ in 0..<4 { clinux_spin_hint() }
    }
}
