import Bus
import DequeModule
import Filter
import FilterBridge
import JournalBridge
import RecordSources
import Records

/// The newest records of sources that cannot be asked twice, held in memory.
final class ExploredStore: ExploredSource {
    /// More records, or bytes of them, are not held; the oldest go first.
    private static let maxCount = 100_000
    private static let maxBytes = 64 << 20
    /// Counts are sent after so many records.
    private static let part = 10_000

    private struct State {
        var records: Deque<Record> = []
        var bytes = 0
        var dropped = 0
        /// Those who hear what comes; `nil` while they are given what is held.
        var listeners: [Int: (@Sendable (NumberedRecord) -> Void)?] = [:]
        var nextListener = 0

        /// Records are numbered as they come.
        func numbered(at index: Int) -> NumberedRecord {
            NumberedRecord(record: records[index], number: EntryNumber(UInt64(dropped + index + 1)))
        }
    }

    let title: String
    private let sources: [NamedSource]
    private let state = Lock(State())
    /// Answers questions, so that neither the screen nor what comes waits for them.
    private let worker = ThreadScheduler(name: "bus-explore")

    init(_ sources: [NamedSource]) {
        self.sources = sources
        title = sources.map(\.name).joined(separator: " ")
    }

    /// Keeps a record, the newest in the order of arrival.
    func keep(_ record: Record) {
        let size = record.content.footprint
        state.withLock { state in
            state.records.append(record)
            state.bytes += size
            while state.records.count > Self.maxCount || state.bytes > Self.maxBytes, state.records.count > 1 {
                state.bytes -= state.records.removeFirst().content.footprint
                state.dropped += 1
            }
            // Inside, so that what is heard goes on where what was read ended.
            let new = state.numbered(at: state.records.count - 1)
            for listener in state.listeners.values { listener?(new) }
        }
    }

    var facets: [String] {
        let own =
            sources.fields.allSatisfy { $0.kind == .journal } ? ExploredJournal.facets : ["severity", "speaker"]
        return (sources.count > 1 ? ["source"] : []) + own
    }

    var bound: String? {
        state.withLock { state in
            let held = "the newest \(ExploreView.grouped(state.records.count)) are held"
            return state.dropped == 0 ? held : "\(held), \(ExploreView.grouped(state.dropped)) are gone"
        }
    }

    func check(_ filter: String) throws(FilterError) { _ = try compiled(ExploreQuery(filter: filter)) }

    private func compiled(_ query: ExploreQuery) throws(FilterError) -> @Sendable (Record) -> Bool {
        let window = query.window ?? .min ... .max
        if query.filter.allSatisfy(\.isWhitespace) { return { window.contains($0.time.microseconds) } }
        let filter = try RecordFilter(query.filter, sources: sources.fields)
        return { window.contains($0.time.microseconds) && filter.selects($0) }
    }

    func fieldNames() -> [String] {
        var names = Set(CommonField.allCases.map(\.rawValue))
        for record in held.suffix(1000) { names.formUnion(record.fieldNames) }
        return names.sorted()
    }

    func values(of field: String, startingWith start: String) -> [String] {
        let path = FieldPath(orNameOfField: field)
        let values = held.suffix(Self.part).compactMap { $0.text(of: path) }.filter { $0.hasPrefix(start) }
        return Set(values).sorted()
    }

    private var held: Deque<Record> { state.withLock { $0.records } }

    func counts(
        _ query: ExploreQuery,
        by groupings: [RecordGrouping]
    ) throws(FilterError) -> AnySignal<ExploreCounts, SourceError> {
        let selects = try compiled(query)
        return answer { [self] emitter in
            let (records, dropped) = state.withLock { ($0.records, $0.dropped) }
            var counts = ExploreCounts(groups: groupings.map { _ in RecordCounts() })
            counts.ends = [EntryNumber(UInt64(dropped + records.count))]
            for (index, record) in records.enumerated() {
                guard emitter.demand != .stop else { return }
                if record.kind == .event, selects(record) {
                    for group in groupings.indices { counts.groups[group].add(record, in: groupings[group]) }
                    counts.total += 1
                }
                if (index + 1) % Self.part == 0 {
                    counts.share = Double(index + 1) / Double(records.count)
                    emitter.send(counts)
                }
            }
            counts.share = 1
            emitter.send(counts)
        }
    }

    func records(
        _ query: ExploreQuery,
        from place: ExplorePlace,
        goesBack: Bool,
        limit: Int
    ) throws(FilterError) -> AnySignal<NumberedRecord, SourceError> {
        let selects = try compiled(query)
        return answer { [self] emitter in
            let state = state.withLock { $0 }
            let records = state.records
            let start = Self.index(of: place, in: records, goesBack: goesBack)
            let indices = goesBack ? Array((0..<start).reversed()) : Array(start..<records.count)
            var count = 0
            for index in indices where count < limit {
                guard emitter.demand != .stop else { return }
                guard selects(records[index]) else { continue }
                if records[index].kind == .event { count += 1 }
                emitter.send(state.numbered(at: index))
            }
        }
    }

    /// Where reading begins: at this index going on, or before it going back.
    private static func index(of place: ExplorePlace, in records: Deque<Record>, goesBack: Bool) -> Int {
        switch place {
        case .begin: 0
        case .end: records.count
        case .time(let time): records.firstIndex { $0.time.microseconds >= time } ?? records.count
        case .record(let record):
            records.lastIndex { $0.sequence == record.sequence && $0.source == record.source && $0.time == record.time }
                // One that is not held any more was before all that are.
                .map { goesBack ? $0 : $0 + 1 } ?? 0
        }
    }

    /// Runs `body` on a thread of the store.
    private func answer<Value: Sendable>(
        _ body: @escaping @Sendable (Emitter<Value, SourceError>) -> Void
    ) -> AnySignal<Value, SourceError> {
        Signals.create(of: Value.self, failure: SourceError.self, limit: Self.maxCount) { [worker] emitter in
            worker.schedule {
                body(emitter)
                emitter.complete()
            }
            return nil
        }.eraseToAnySignal()
    }

    func following(
        _ query: ExploreQuery,
        from place: ExplorePlace?,
        since time: Int64
    ) throws(FilterError) -> AnySignal<NumberedRecord, SourceError> {
        let selects = try compiled(query)
        return Signals.create(of: NumberedRecord.self, failure: SourceError.self, limit: Self.maxCount) {
            [self] emitter in
            let number = state.withLock { state in
                state.nextListener += 1
                state.listeners[state.nextListener] = .some(nil)
                return state.nextListener
            }
            // What is held already is looked at in parts, so that what comes is kept meanwhile.
            worker.schedule { [self] in
                var next: Int?
                while true {
                    let part = state.withLock { state -> [NumberedRecord] in
                        guard state.listeners.keys.contains(number) else { return [] }
                        // Without a place, none of the records that were held before is selected.
                        let start =
                            next.map { max(0, $0 - state.dropped) }
                            ?? Self.index(of: place ?? .begin, in: state.records, goesBack: false)
                        let end = min(start + Self.part, state.records.count)
                        next = state.dropped + end
                        if start == end { state.listeners[number] = { if selects($0.record) { emitter.send($0) } } }
                        return (start..<end).map { state.numbered(at: $0) }
                    }
                    if part.isEmpty { return }
                    for new in part where selects(new.record) { emitter.send(new) }
                }
            }
            return ActionDisposable { [self] in _ = state.withLock { $0.listeners.removeValue(forKey: number) } }
        }.eraseToAnySignal()
    }

    func text(
        _ query: ExploreQuery,
        as format: OutputFormat,
        isUTC: Bool,
        gap: @escaping @Sendable () -> Void
    ) throws(FilterError) -> AnySignal<[UInt8], SourceError>? {
        guard let format = format.recordFormat else { return nil }
        return try records(query, from: .begin, goesBack: false, limit: .max).map(\.record)
            .text(as: format, isUTC: isUTC)
    }
}
