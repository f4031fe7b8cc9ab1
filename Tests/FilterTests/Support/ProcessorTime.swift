import Glibc

/// The cost of work, whatever else the machine does.
enum ProcessorTime {
    /// The thread's processor time for the body in seconds, the smallest of several runs.
    static func least(of count: Int, _ body: () -> Void) -> Double {
        (0..<count).reduce(.infinity) { least, _ in
            let start = now
            body()
            return min(least, now - start)
        }
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
