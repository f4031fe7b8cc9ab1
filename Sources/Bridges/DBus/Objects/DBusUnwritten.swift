import DequeModule

/// The bytes of the answers that wait to be written, for a peer that calls and does not read. libsystemd bounds its queue by the number of
/// messages alone, and tells no bytes.
struct DBusUnwritten {
    /// Of the last answers, the newest last: at least of those that wait.
    private var sizes: Deque<Int> = []
    private var bytes = 0

    /// - Parameter waiting: how many messages wait to be written, other than answers among them.
    /// - Returns: whether an answer of so many bytes may wait. One of any size may while less than ``DBusCapacity/size`` waits.
    mutating func add(_ size: Int, waiting: UInt64) -> Bool {
        while sizes.count > waiting, let written = sizes.popFirst() { bytes -= written }
        guard bytes < DBusCapacity.size else { return false }
        sizes.append(size)
        bytes += size
        return true
    }
}
