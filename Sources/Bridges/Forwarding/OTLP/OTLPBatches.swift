/// Which entries are sent together: a pure value.
///
/// An entry that finds no request under way is sent at once. Others wait for a full batch, for the end of a request, or until the caller
/// says that they have waited long enough. So batches grow with the time that the receiver needs.
struct OTLPBatches<Item: Sendable>: Sendable {
    struct Limits: Sendable {
        var items = 1000
        var bytes = 256 << 10
        var requests = 4
    }

    private let limits: Limits
    private var waiting: [(item: Item, size: Int)] = []
    private var bytes = 0
    private var underWay = 0

    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    var isWaiting: Bool { !waiting.isEmpty }

    /// An entry comes.
    ///
    /// - Returns: a batch to send now, if any.
    mutating func add(_ item: Item, size: Int) -> [Item]? {
        waiting.append((item, size))
        bytes += size
        let isFull = waiting.count >= limits.items || bytes >= limits.bytes
        return isFull || underWay == 0 ? next() : nil
    }

    /// A request has ended.
    ///
    /// - Returns: a batch to send now, if any.
    mutating func finished() -> [Item]? {
        underWay -= 1
        return next()
    }

    /// Entries have waited long enough.
    ///
    /// - Returns: a batch to send now, if any. If there is none, all requests that may be under way are, and the end of one sends them.
    mutating func waited() -> [Item]? { next() }

    private mutating func next() -> [Item]? {
        guard !waiting.isEmpty, underWay < limits.requests else { return nil }
        underWay += 1
        var (count, size) = (0, 0)
        // A batch has at least one entry, however large that is.
        while count < min(waiting.count, limits.items), count == 0 || size + waiting[count].size <= limits.bytes {
            size += waiting[count].size
            count += 1
        }
        defer {
            waiting.removeFirst(count)
            bytes -= size
        }
        return waiting.prefix(count).map(\.item)
    }
}
