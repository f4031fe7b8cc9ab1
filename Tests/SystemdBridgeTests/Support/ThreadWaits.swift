import Glibc

/// How often this thread has voluntarily gone to sleep. Unlike the elapsed time, this shows whether it waited, however
/// busy the machine is.
enum ThreadWaits {
    static func count() -> Int {
        var usage = rusage()
        // RUSAGE_THREAD, which the Glibc module does not export.
        getrusage(__rusage_who_t(1), &usage)
        return usage.ru_nvcsw
    }
}
