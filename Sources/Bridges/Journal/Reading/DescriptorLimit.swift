import Glibc

/// The process's limit of open files. A reader keeps every file of its journal open, so that none is gone before it is read.
enum DescriptorLimit {
    /// Raises the soft limit as far as the hard limit lets it. Done once in a process; it is never lowered again.
    static func raise() { _ = raised }

    private static let raised: Bool = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        let wanted: rlim_t = min(limit.rlim_max, 65536)
        guard limit.rlim_cur < wanted else { return true }
        limit.rlim_cur = wanted
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }()

    /// - Throws: a ``JournalError`` if that many files cannot be opened beside those that are open.
    static func check(for count: Int) throws(JournalError) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, let stream = opendir("/proc/self/fd")
        else {
            return
        }
        defer { closedir(stream) }
        var open = 0
        while readdir(stream) != nil { open += 1 }
        // A few for the libraries' own use.
        guard UInt64(open + count + 8) > UInt64(limit.rlim_cur) else { return }
        throw JournalError(
            "open \(count) journal files",
            reason: "this process may have \(limit.rlim_cur) files open and has \(open)",
            errno: EMFILE
        )
    }
}
