import Glibc

/// The system's limits for this process.
enum Limits {
    // Swift exports no name for its number.
    private static let pendingSignals: CInt = 11

    /// How many signals may be queued for this user before the sender gets an error.
    static var queuedSignals: UInt {
        get { limit(pendingSignals) }
        set { set(pendingSignals, newValue) }
    }

    /// How many descriptors may be open.
    static var descriptors: UInt {
        get { limit(CInt(RLIMIT_NOFILE.rawValue)) }
        set { set(CInt(RLIMIT_NOFILE.rawValue), newValue) }
    }

    private static func limit(_ resource: CInt) -> UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
        return limit.rlim_cur
    }

    private static func set(_ resource: CInt, _ value: UInt) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
        limit.rlim_cur = value
        setrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
    }
}
