import Records

/// The numbers of what was asked, and the times that they cover.
extension ExploreModel {
    mutating func take(_ counts: ExploreCounts, isWhole: Bool) {
        self.counts = counts
        countedQuery = query
        progress = isWhole ? .whole : .partial
        if let timeline, let over = counts.groups.first { steps = timeline.steps(over) }
        listValues()
    }

    mutating func listValues() {
        if showsFacets, let counts { facets.take(counts.groups.dropFirst()) }
    }

    /// Records have come while it follows.
    mutating func took(_ new: [NumberedRecord]) -> [Effect] {
        let events = new.filter { $0.record.kind == .event }
        tally(events)
        if list.isAtEnd { list.addNewer(new.map(\.record)) } else { news += events.count }
        let effects = reach(events.map(\.record))
        return effects.isEmpty && progress == .whole ? countAgain() : effects
    }

    /// Has further records be in the counts.
    mutating func tally(_ records: [NumberedRecord]) {
        let events = records.filter { $0.record.kind == .event }
        switch progress {
        case .whole: add(events)
        case .failed: break
        case .old, .partial:
            uncounted += events
            let bytes = RecordList.bytes(of: uncounted.map(\.record))
            guard uncounted.count > Self.maxUncounted || bytes > RecordList.maxBytes else { break }
            (uncounted, isTimelineShort) = ([], true)
        }
    }

    /// More records that come during a count are not kept, but counted anew.
    private static let maxUncounted = 10_000
    /// After so many new records all are counted anew, since old ones go meanwhile: out of the store, or with files.
    private static let maxAdded = 25_000

    /// Counts anew where the counts have become old.
    mutating func countAgain() -> [Effect] { isTimelineShort || added > Self.maxAdded ? count() : [] }
    /// A time line covers a second at least.
    private static let minTimes: Int64 = 1_000_000

    /// Times of any record, so that there is room for computing with them.
    static func bounded(_ times: ClosedRange<Int64>) -> ClosedRange<Int64> { times.clamped(to: -(1 << 61)...(1 << 61)) }

    /// Has the time line reach as far as the records do.
    mutating func reach(_ records: [Record]) -> [Effect] {
        guard let earliest = records.lazy.map(\.time.microseconds).min(),
            let latest = records.lazy.map(\.time.microseconds).max()
        else {
            return []
        }
        let (first, last) = (Self.bounded(earliest...latest).lowerBound, Self.bounded(earliest...latest).upperBound)
        guard let known = times else {
            times = first...max(last, first + Self.minTimes)
            return count()
        }
        if first >= known.lowerBound, last <= known.upperBound { return [] }
        // A margin, so that not each new record moves the time line.
        let margin = last > known.upperBound && timeline?.column(of: last) == nil ? (last - known.lowerBound) / 4 : 0
        times = min(first, known.lowerBound)...max(last + margin, known.upperBound)
        guard query.until == nil, timeline?.column(of: first) == nil || timeline?.column(of: last) == nil else {
            return []
        }
        // A long count would never end if each record began another.
        isTimelineShort = progress != .whole
        return isTimelineShort ? [] : count()
    }

    /// Counts further records, unless counting has seen them.
    mutating func add(_ new: [NumberedRecord]) {
        guard var counts, let timeline else { return }
        let records = new.filter { !counts.covers($0) }.map(\.record)
        if records.isEmpty { return }
        let groupings = groupings(timeline)
        for record in records {
            for index in counts.groups.indices { counts.groups[index].add(record, in: groupings[index]) }
        }
        counts.total += records.count
        added += records.count
        take(counts, isWhole: true)
    }

    /// The times that the time line covers.
    var shownTimes: ClosedRange<Int64>? {
        guard let window = query.window else { return times }
        if query.since == nil || query.until == nil, times == nil { return nil }
        // As far as there are records on the side that is open.
        let known = times?.clamped(to: window) ?? window
        return Self.bounded((query.since ?? known.lowerBound)...(query.until ?? known.upperBound))
    }

    func groupings(_ timeline: Timeline) -> [RecordGrouping] {
        [timeline.grouping] + facets.groupings
    }

    /// Counts anew after the facets have changed: the counts so far are of others.
    mutating func countFacets() -> [Effect] {
        if let groups = counts?.groups { counts?.groups = Array(groups.prefix(1)) }
        return count()
    }

    mutating func count() -> [Effect] {
        guard let times = shownTimes else {
            // There is nothing yet.
            (counts, progress) = (ExploreCounts(), .whole)
            return []
        }
        let timeline = Timeline(over: times, columns: columns - 2)
        if timeline != self.timeline {
            (timelineCursor, timelineMark) = (min(timelineCursor, timeline.columns - 1), nil)
        }
        self.timeline = timeline
        if let over = counts?.groups.first { steps = timeline.steps(over) } else { steps = [] }
        counting += 1
        (progress, failure) = (.old, nil)
        isTimelineShort = false
        (uncounted, added) = ([], 0)
        return [.count(query, groupings(timeline), as: counting)]
    }
}
