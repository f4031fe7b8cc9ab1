import CNATS
import Glibc

/// libnats, for the process.
package enum NATSLibrary {
    /// Loads the library at first use. Why that is not possible, if so; then none of its functions may be called. OpenSSL, which comes
    /// with it, keeps its memory until the process has ended, unless the program has used it before.
    package static let loadFailure = cnats_load().map { String(cString: $0) }

    /// Opens the loaded library at first use, and holds the result. The library starts its threads here. They inherit the signal mask of the
    /// calling thread, which is a link's and has all signals blocked.
    ///
    /// `nats_Open` makes the whole process ignore SIGPIPE. This restores the program's own setting. The library does not need the
    /// change: it sends with `MSG_NOSIGNAL`, and its threads have the signal blocked.
    static let opening: natsStatus = {
        var before = sigaction()
        let isKnown = sigaction(SIGPIPE, nil, &before) == 0
        let status = nats_Open(-1)
        if isKnown { sigaction(SIGPIPE, &before, nil) }
        return status
    }()
}
