/// The order of boots, or of a unit's invocations: that in which their first entries are read.
///
/// Numbers of entries from one source tell it. A clock does not: without a battery it goes back at a start.
struct PeriodOrder {
    /// For each source of numbers, the first entry of each period.
    private var firsts: [ID128: [ID128: EntryKey]] = [:]

    /// - Parameter id: of the period that the entry belongs to.
    mutating func note(_ id: ID128, _ entry: EntryRef, in file: JournalFile) {
        let source = file.header.sequenceID
        if let known = firsts[source]?[id], known.entry.sequence <= entry.sequence { return }
        firsts[source, default: [:]][id] = EntryKey(sequenceID: source, entry: entry)
    }

    /// The periods' ids.
    var ids: [ID128] {
        var queues = firsts.sorted { $0.key.text < $1.key.text }.map { _, firsts in
            firsts.sorted { ($0.value.entry.sequence, $0.key.text) > ($1.value.entry.sequence, $1.key.text) }
        }
        var ids: [ID128] = []
        var seen: Set<ID128> = []
        while true {
            // As entries are read: at each step the first of all sources' next ones.
            var next: (queue: Int, key: EntryKey)?
            for (index, queue) in queues.enumerated() {
                guard let key = queue.last?.value else { continue }
                if next.map({ key.compare($0.key) < 0 }) ?? true { next = (index, key) }
            }
            guard let next, let id = queues[next.queue].popLast()?.key else { return ids }
            if seen.insert(id).inserted { ids.append(id) }
        }
    }
}
