import Bus
package import Records

/// The counts of several sources, which are added when a source has ended, whatever the order.
///
/// They leave out all that a source sent before it failed.
package struct GatheredCounts: Sendable {
    private var whole = RecordCounts()
    /// Of sources that have not ended, by their numbers.
    private var parts: [Int: RecordCounts] = [:]
    /// How many sources have been counted to their end.
    package private(set) var complete = 0
    /// The numbers of sources that sent their last event, be it a failure.
    package private(set) var ended: Set<Int> = []
    /// Sources that failed.
    package private(set) var failures: [SourceError] = []
    /// The numbers of machines whose records are counted here.
    package private(set) var read: Set<Int> = []

    package init() {}

    /// Everything counted so far.
    package var counts: RecordCounts {
        // A part that would make the total too large fails at its end.
        parts.values.reduce(into: whole) { _ = $0.add($1) }
    }

    /// Counts a record of no particular source.
    package mutating func add(_ record: Record, in grouping: RecordGrouping) { whole.add(record, in: grouping) }

    /// Takes out the spans that are over at a time.
    package mutating func takeRows(before time: Int64, in grouping: RecordGrouping) -> [RecordCounts.Row] {
        whole.takeRows(before: time, in: grouping)
    }

    /// - Parameter name: the source's name.
    /// - Returns: why the source is left out, where this event says so.
    package mutating func take(_ event: CountedEvent, of name: String, in grouping: RecordGrouping) -> SourceError? {
        let source = event.source
        var failure: SourceError?
        switch event.event {
        case .next(.counts(let counts)): parts[source] = counts
        case .next(.record(let record)): parts[source, default: RecordCounts()].add(record, in: grouping)
        case .next(.gap): break
        case .next(.isRead): read.insert(source)
        case .completed:
            ended.insert(source)
            if let part = parts.removeValue(forKey: source), !whole.add(part) {
                failure = SourceError(of: name, "its counts and those of the others are too large to be added")
            } else {
                complete += 1
            }
        case .failed(let reason):
            ended.insert(source)
            parts[source] = nil
            read.remove(source)
            failure = reason
        }
        if let failure { failures.append(failure) }
        return failure
    }
}
