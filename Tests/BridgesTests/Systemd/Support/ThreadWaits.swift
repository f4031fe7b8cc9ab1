import Glibc

/// How often this thread has gone to sleep of its own accord. Unlike the time it took, this says whether it waited, however
/// busy the machine is.
enum ThreadWaits {
    static func count() -> Int {
        var usage = rusage()
        // RUSAGE_THREAD, which the Glibc module does not show.
        getrusage(__rusage_who_t(1), &usage)
        return usage.ru_nvcsw
    }
}
