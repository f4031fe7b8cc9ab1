/// Entries that do not move while nothing is appended, changed in place: an array would check at every change whether
/// it is shared, several times for each timer.
///
/// Only it owns its memory: `~Copyable`, and `deinit` frees it. A pointer from `at(_:)` is used before the next
/// `append`.
struct ChunkTable<Entry>: ~Copyable {
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 16
    private(set) var count = 0

    init() {
        entries = .allocate(capacity: capacity)
    }

    deinit {
        entries.deinitialize(count: count)
        entries.deallocate()
    }

    /// - Parameter index: below `count`.
    @inline(__always)
    func at(_ index: Int) -> UnsafeMutablePointer<Entry> { entries + index }

    mutating func append(_ entry: Entry) {
        if count == capacity {
            let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: entries, count: count)
            entries.deallocate()
            entries = larger
            capacity *= 2
        }
        (entries + count).initialize(to: entry)
        count += 1
    }
}
