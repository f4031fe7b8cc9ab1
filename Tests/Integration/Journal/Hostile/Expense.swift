import Glibc
import TestSupport

/// The cost of a call on this thread. Other load on the machine does not change it.
enum Expense {
    /// In seconds of processor time.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now()
        try body()
        return now() - start
    }

    /// Test builds and sanitizers are slower than what users run.
    static let maxSeconds = isSanitized ? 60.0 : 12

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
