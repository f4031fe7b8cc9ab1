import DequeModule

/// The bytes of the answers that wait to be written, for a peer that calls and does not read. libsystemd bounds its queue by the number of
/// messages alone, and tells no bytes.
struct DBusUnwritten {
    /// Each message takes about so many bytes besides its values.
    private static let header = 1024
    /// Of the last answers, the newest last: at least of those that wait.
    private var sizes: Deque<Int> = []
    private var bytes = 0

    /// - Parameters:
    ///   - waiting: how many messages wait to be written, other than answers among them.
    ///   - limit: an answer of any size may wait while fewer bytes do.
    /// - Returns: whether an answer of so many bytes may wait.
    mutating func add(_ size: Int, waiting: UInt64, within limit: Int = DBusCapacity.size) -> Bool {
        while sizes.count > waiting, let written = sizes.popFirst() { bytes -= written }
        guard bytes < limit else { return false }
        sizes.append(size + Self.header)
        bytes += size + Self.header
        return true
    }
}
