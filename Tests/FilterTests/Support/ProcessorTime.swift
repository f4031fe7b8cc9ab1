import Glibc

/// What work costs, whatever else the machine is busy with.
enum ProcessorTime {
    /// The seconds of processor time that the thread takes for the body, the least of some times.
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
