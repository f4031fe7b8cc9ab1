/// Which entries are sent together: a pure value.
///
/// An entry that finds no request under way is sent at once. Others wait for a full batch, for the end of a request, or until the caller
/// says that they have waited long enough. So batches grow with the time that the receiver needs.
struct OTLPBatches<Item: Sendable>: Sendable {
    struct Limits: Sendable {
        var records = 1000
        var bytes = 256 << 10
        var requests = 4

        /// How many bytes may be behind the place: twice what may be under way.
        var maxPendingBytes: Int { 2 * bytes * requests }
        /// How many records fit into them, and into the one entry that may be above.
        var maxPendingRecords: Int { maxPendingBytes / OTLPRecord.minSize + records }
    }

    private let limits: Limits
    private var waiting: [(item: Item, records: Int, size: Int)] = []
    private var (records, bytes) = (0, 0)
    private var underWay = 0

    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    var isWaiting: Bool { !waiting.isEmpty }

    /// An entry comes, which may have several records.
    ///
    /// - Returns: a batch to send now, if any.
    mutating func add(_ item: Item, records count: Int, size: Int) -> [Item]? {
        waiting.append((item, count, size))
        records += count
        bytes += size
        let isFull = records >= limits.records || bytes >= limits.bytes
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
        var (batch, taken, size) = ([Item](), 0, 0)
        for (item, count, itemSize) in waiting {
            // A batch has at least one entry, however large that is.
            let fits = taken + count <= limits.records && size + itemSize <= limits.bytes
            guard fits || batch.isEmpty else { break }
            batch.append(item)
            taken += count
            size += itemSize
        }
        waiting.removeFirst(batch.count)
        records -= taken
        bytes -= size
        return batch
    }
}
