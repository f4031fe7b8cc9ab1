import Glibc
import Loop

/// The process's limit of open files. A reader keeps the files of its journal open, so that none is gone before it is read.
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

    /// For other uses than a journal's files.
    private static let reserve = 16

    /// How many journal files can be open at a time, where that is fewer than there are.
    ///
    /// - Parameter more: how many files may come while the journal is followed.
    /// - Throws: a ``JournalError`` if it is hardly one.
    static func capacity(for count: Int, more: Int) throws(JournalError) -> Int? {
        var limit = rlimit()
        var open = 0
        let code = DirectoryNames.forEach(in: "/proc/self/fd") { _, _ in
            open += 1
            return true
        }
        guard code == 0, getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let maxOpen = Int(clamping: limit.rlim_cur)
        let capacity = maxOpen - open - reserve
        if count + more <= capacity { return nil }
        guard capacity >= min(count, 4) else {
            throw JournalError(
                "open \(count == 1 ? "1 journal file" : "\(count) journal files")",
                reason: "this process may have \(maxOpen) files open, has \(open), and keeps \(reserve) for other uses;"
                    + " a limit of \(open + reserve + count + more) is enough for all",
                errno: EMFILE
            )
        }
        return capacity
    }
}
