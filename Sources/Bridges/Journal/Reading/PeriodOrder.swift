/// The order of boots, or of a unit's invocations: that in which their first entries are read.
///
/// Numbers of entries from one source tell it. A clock does not: without a battery it goes back at a start. Where periods of one source
/// overlap, its numbers were given twice, as by a journald before 254 that began anew after a crash; then their times tell it.
struct PeriodOrder {
    private struct Period {
        var first: EntryKey
        var lastNumber: UInt64
    }

    /// By the sources of numbers, and by the periods' ids.
    private var periods: [ID128: [ID128: Period]] = [:]

    /// - Parameter id: of the period that the entry belongs to.
    mutating func note(_ id: ID128, _ entry: EntryRef, in file: JournalFile) {
        let source = file.header.sequenceID
        let key = EntryKey(sequenceID: source, entry: entry)
        var period = periods[source]?[id] ?? Period(first: key, lastNumber: entry.sequence)
        if entry.sequence < period.first.entry.sequence { period.first = key }
        period.lastNumber = max(period.lastNumber, entry.sequence)
        periods[source, default: [:]][id] = period
    }

    /// The first entries of one source's periods, the last of them first.
    private static func sorted(_ periods: [ID128: Period]) -> [(key: ID128, value: Period)] {
        let byNumber = periods.sorted {
            ($0.value.first.entry.sequence, $0.key.text) > ($1.value.first.entry.sequence, $1.key.text)
        }
        let overlap = zip(byNumber, byNumber.dropFirst()).contains { later, earlier in
            earlier.value.lastNumber >= later.value.first.entry.sequence
        }
        guard overlap else { return byNumber }
        return periods.sorted {
            ($0.value.first.entry.realtime, $0.key.text) > ($1.value.first.entry.realtime, $1.key.text)
        }
    }

    /// The periods' ids.
    var ids: [ID128] {
        var queues = periods.sorted { $0.key.text < $1.key.text }.map { Self.sorted($0.value) }
        var ids: [ID128] = []
        var seen: Set<ID128> = []
        while true {
            // As entries are read: at each step the first of all sources' next ones.
            var next: (queue: Int, key: EntryKey)?
            for (index, queue) in queues.enumerated() {
                guard let key = queue.last?.value.first else { continue }
                if next.map({ key.compare($0.key) < 0 }) ?? true { next = (index, key) }
            }
            guard let next, let id = queues[next.queue].popLast()?.key else { return ids }
            if seen.insert(id).inserted { ids.append(id) }
        }
    }
}
