import Bus
import Filter
import FilterBridge
import JournalBridge
import RecordSources
import Records

/// A journal, which is asked anew for each answer. Its times are those of receipt, in whose order it is kept.
struct ExploredJournal: ExploredSource {
    let journal: JournalSource
    let title: String
    private let kept = KeptColumns()

    init(journal: JournalSource, title: String) {
        self.journal = journal
        self.title = title
    }

    var facets: [String] { Self.facets }

    /// The fields that a journal is looked at by.
    static let facets = ["unit", "identifier", "priority", "host", "boot"]

    func check(_ filter: String) throws(FilterError) {
        if filter.allSatisfy(\.isWhitespace) { return }
        _ = try CompiledFilter(filter, schema: JournalSchema())
    }

    /// When the journal received its first and its last entry, in microseconds since 1970. Reads them.
    func times() throws(JournalError) -> ClosedRange<Int64>? {
        guard let first = try time(.onward(from: .head, follow: false)), let last = try time(.back(JournalRetreat()))
        else { return nil }
        return min(first, last)...max(first, last)
    }

    /// The time of the first entry on the way.
    private func time(_ course: JournalCourse) throws(JournalError) -> Int64? {
        let reader = try JournalReader(journal, course)
        while true {
            switch try reader.advance() {
            case .entry: if let entry = reader.entry() { return entry.realtime.microseconds }
            case .end, .caughtUp: return nil
            case .gap, .busy: continue
            }
        }
    }

    func fieldNames() -> [String] {
        let names = (try? FieldNames.all(in: journal, readingEntries: false)) ?? []
        return names.sorted()
    }

    func values(of field: String, startingWith start: String) -> [String] {
        let names = FieldPath(orNameOfField: field).names.map { String(decoding: $0, as: UTF8.self) }
        return JournalCandidates.answers(to: .values(of: names), startingWith: start, in: journal).map(\.text)
    }

    func counts(
        _ query: ExploreQuery,
        by groupings: [RecordGrouping]
    ) throws(FilterError) -> AnySignal<ExploreCounts, SourceError> {
        Signals.journalCounts(
            journal,
            query: try compiled(query),
            by: groupings.map { $0.byReceipt },
            of: "journal",
            keeping: kept
        )
        .scan(into: ExploreCounts(groups: groupings.map { _ in RecordCounts() })) { shown, part in
            switch part {
            case .gap: shown.gaps += 1
            case .counts(let counts):
                (shown.groups, shown.total, shown.share) = (counts.groups, counts.total, counts.share)
                shown.ends = counts.ends
            }
        }
        .mapError { [title] in SourceError(of: title, $0.description) }
        .eraseToAnySignal()
    }

    func records(
        _ query: ExploreQuery,
        from place: ExplorePlace,
        goesBack: Bool,
        limit: Int
    ) throws(FilterError) -> AnySignal<NumberedRecord, SourceError> {
        let course: JournalCourse =
            if goesBack {
                .back(retreat(from: place, query.window))
            } else {
                .onward(from: start(at: place, query.window), follow: false)
            }
        return records(
            Signals.journal(journal, course, query: try compiled(query), limit: limit).eraseToAnySignal()
        )
    }

    func following(
        _ query: ExploreQuery,
        from place: ExplorePlace?,
        since time: Int64
    ) throws(FilterError) -> AnySignal<NumberedRecord, SourceError> {
        let start =
            switch place {
            case nil, .end: start(at: .time(time), nil)
            case let place?: start(at: place, nil)
            }
        return records(
            Signals.journal(journal, from: start, follow: true, query: try compiled(query)).eraseToAnySignal()
        )
    }

    func text(
        _ query: ExploreQuery,
        as format: OutputFormat,
        isUTC: Bool,
        gap: @escaping @Sendable () -> Void
    ) throws(FilterError) -> AnySignal<[UInt8], SourceError>? {
        guard let journalFormat = format.format else {
            return try records(query, from: .begin, goesBack: false, limit: .max).map(\.record)
                .text(as: .logfmt, isUTC: isUTC)
        }
        var style = JournalStyle(journalFormat)
        style.isUTC = isUTC
        return Signals.journalText(
            journal,
            .onward(from: .head, follow: false),
            query: try compiled(query),
            threads: 1,
            limit: nil,
            style: style
        )
        .compactMap { part in
            switch part {
            case .entries(let text): return text
            case .gap, .skipped: gap()
            case .caughtUp, .place: break
            }
            return nil
        }
        .mapError { [title] in SourceError(of: title, $0.description) }
        .eraseToAnySignal()
    }

    private func records(_ items: AnySignal<JournalItem, JournalError>) -> AnySignal<NumberedRecord, SourceError> {
        items.records(named: "journal")
            .map { record in
                guard let entry = (record.content as? JournalContent)?.entry else {
                    return NumberedRecord(record: record, number: nil)
                }
                var record = record
                record.time = entry.realtime
                return NumberedRecord(record: record, number: EntryNumber(cursor: entry.cursor))
            }
            .mapError { [title] in SourceError(of: title, $0.description) }
            .eraseToAnySignal()
    }

    private func compiled(_ query: ExploreQuery) throws(FilterError) -> JournalQuery {
        var pieces: [String] = []
        if let window = query.window {
            pieces.append("__REALTIME_TIMESTAMP >= \(max(0, window.lowerBound))")
            if let until = query.until { pieces.append("__REALTIME_TIMESTAMP <= \(until)") }
        }
        if !query.filter.allSatisfy(\.isWhitespace) { pieces.append(query.filter) }
        if pieces.isEmpty { return .everything }
        let schema = JournalSchema()
        return JournalQuery(try CompiledFilter(FilterText.all(pieces), schema: schema), schema: schema)
    }

    private static func cursor(of record: Record) -> String? { (record.content as? JournalContent)?.entry.cursor }

    private func start(at place: ExplorePlace, _ window: ClosedRange<Int64>?) -> JournalStart {
        let first = max(0, window?.lowerBound ?? 0)
        return switch place {
        case .begin: .time(RecordTime(microseconds: first))
        case .time(let time): .time(RecordTime(microseconds: max(time, first)))
        case .record(let record): Self.cursor(of: record).map { .cursor($0) } ?? .time(record.time)
        case .end: .tail(0)
        }
    }

    private func retreat(from place: ExplorePlace, _ window: ClosedRange<Int64>?) -> JournalRetreat {
        let since = window.map { UInt64(clamping: $0.lowerBound) }
        let last = window?.upperBound ?? .max
        let start: JournalRetreat.Start =
            switch place {
            case .end where last == .max: .tail
            case .begin, .end: .time(UInt64(clamping: last))
            case .time(let time): .time(UInt64(clamping: min(time &- 1, last)))
            case .record(let record):
                Self.cursor(of: record).map { .cursor($0) } ?? .time(UInt64(clamping: record.time.microseconds))
            }
        return JournalRetreat(from: start, since: since)
    }
}
