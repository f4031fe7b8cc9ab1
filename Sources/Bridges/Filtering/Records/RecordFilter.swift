public import Filter
public import JournalBridge
public import Records

/// A filter over the records of several sources.
///
/// ```swift
/// import FilterBridge
/// import Records
///
/// let filter = try RecordFilter(
///     "source == 'journal' && unit == 'web.service' || source == 'timer' && missed > 0",
///     sources: [("journal", .journal), ("timer", .ticks)]
/// )
/// let fields = RecordFields(["missed": .int(2)])
/// let outcome = filter.evaluate(Record(source: "timer", time: .now, sequence: 1, content: fields))
/// ```
///
/// A field that several sources have is compared with the type that it has in each. A comparison that can hold for the
/// records of no source is refused. One that can hold for some is accepted, with a warning in
/// `CompiledFilter.warnings` that names the other sources: `PRIORITY == "3"` over a journal and JSON selects no
/// entry of the journal, where the priority is a number.
public struct RecordFilter: Sendable {
    /// The compiled expression, to be explained.
    public let filter: CompiledFilter
    /// The cost that all evaluations may have together.
    package private(set) var budget: FilterBudget
    private let schema: RecordSchema
    private let places: [RecordSchema.Place]
    /// The fields that a record's content is asked for.
    private let names: [[UInt8]]
    private let readsMessage: Bool

    /// - Parameters:
    ///   - expression: in the filter language.
    ///   - sources: the names of the sources that are read, and the kinds of their records.
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(_ expression: String, sources: [(name: String, kind: RecordKind)]) throws(FilterError) {
        schema = RecordSchema(sources)
        filter = try CompiledFilter(expression, schema: schema)
        budget = filter.makeBudget()
        (places, readsMessage) = schema.places
        names = places.filter { $0.common == nil }.map(\.name)
    }

    /// The same filter, for the records of one of the sources: those of another do not use up what they may cost.
    package func forOneSource() -> RecordFilter {
        var filter = self
        filter.budget = budget.forOneSource()
        return filter
    }

    /// The filter's result for the record.
    public func evaluate(_ record: Record) -> FilterOutcome {
        if let entry = (record.content as? JournalContent)?.entry {
            return entry.withRecord(schema.journal) { inner in
                withUnsafePointer(to: inner) { inner in evaluate(record, journal: inner) }
            }
        }
        guard readsMessage else { return evaluate(record, message: nil) }
        return record.content.withMessage { evaluate(record, message: $0) }
    }

    /// The query for the journal of this name: its index is asked first, and unwanted entries are not even copied.
    public func query(of name: String) -> JournalQuery { query(of: name, tally: nil) }

    /// The same.
    ///
    /// - Parameter tally: counts the filter's results; then the index is not asked, because all entries count.
    package func query(of name: String, tally: FilterTally?) -> JournalQuery {
        let match = tally == nil ? match(ofJournal: name) : .everything
        return JournalQuery(
            schema: schema.journal,
            match: match,
            window: TimeWindow(filter),
            isOfValues: tally == nil && filter.isOfValues
        ) { [self] inner in
            withUnsafePointer(to: inner) { inner in
                var source = name
                return source.withUTF8 { source in
                    let record = JournalUnionRecord(
                        places: places,
                        inner: inner,
                        source: UnsafeRawBufferPointer(source),
                        sequence: nil,
                        isLate: false
                    )
                    return Self.isMatch(filter.evaluate(record, within: budget), tally)
                }
            }
        }
    }

    /// The part of the filter that the index of a journal of this name can answer. Made anew each time.
    package func match(ofJournal name: String) -> Match {
        // The expression has been compiled with the same fields before.
        guard let filter = try? CompiledFilter(filter.text, schema: schema.forIndexOfJournal) else {
            return .everything
        }
        return Self.match(filter.match, ofJournal: name)
    }

    private static func match(_ match: Match, ofJournal name: String) -> Match {
        switch match {
        case .everything, .nothing: match
        case .term("source", let value): value.elementsEqual(name.utf8) ? .everything : .nothing
        case .term: match
        case .all(let parts): .conjunction(parts.map { Self.match($0, ofJournal: name) })
        case .any(let parts): .disjunction(parts.map { Self.match($0, ofJournal: name) })
        }
    }

    /// The expression, if it selects the same entries of a journal that is read by itself, on any machine; else `nil`.
    ///
    /// Machines differ in their clocks and time zones, and in the numbers of their users.
    ///
    /// - Parameter comparesTimes: whether it may read the times of entries, which may also be corrected here (`skew`).
    package func textForJournalAlone(comparesTimes: Bool = false) -> String? {
        let text = filter.text
        let read = filter.fields.map { places[$0.id.rawValue] }
        let isTimed =
            !comparesTimes && read.contains { [.time, .realtime, .monotonic].contains($0.common) }
            || text.split { !$0.isLetter }.contains { ["now", "age", "Local"].contains($0) }
        // It does not compile if it names a field that a journal by itself does not have.
        guard !isTimed, let alone = try? CompiledFilter(text, schema: schema.journal),
            alone.fields.map(\.id) == read.map(\.journal),
            alone.fields.map(\.type) == filter.fields.map(\.type),
            !alone.fields.contains(where: { schema.journal.number(for: "root", in: $0) != nil })
        else { return nil }
        return text
    }

    /// Whether it asks for a field of that name.
    package func reads(_ name: String) -> Bool { places.contains { $0.name.elementsEqual(name.utf8) } }

    /// Whether to show the record. Gaps are always shown.
    ///
    /// - Parameter tally: counts the filter's results.
    package func selects(_ record: Record, tally: FilterTally? = nil) -> Bool {
        if case .gap = record.kind { return true }
        return Self.isMatch(evaluate(record), tally)
    }

    private static func isMatch(_ outcome: FilterOutcome, _ tally: FilterTally?) -> Bool {
        if let tally { return tally.count(outcome) }
        if case .matched = outcome { return true }
        return false
    }

    private func evaluate(_ record: Record, journal inner: UnsafePointer<JournalRecord>) -> FilterOutcome {
        var source = record.source
        return source.withUTF8 { source in
            filter.evaluate(
                JournalUnionRecord(
                    places: places,
                    inner: inner,
                    source: UnsafeRawBufferPointer(source),
                    sequence: record.sequence,
                    isLate: record.isLate
                ),
                within: budget
            )
        }
    }

    private func evaluate(_ record: Record, message: UnsafeRawBufferPointer?) -> FilterOutcome {
        var source = record.source
        return source.withUTF8 { source in
            record.content.withFields(named: names) { fields in
                let view = FieldUnionRecord(
                    places: places,
                    fields: fields,
                    record: record,
                    source: UnsafeRawBufferPointer(source),
                    message: message
                )
                return filter.evaluate(view, within: budget)
            }
        }
    }
}

extension ValueFilter where Value == Record {
    /// A filter over the records of several sources; see ``RecordFilter``. Gaps are always let through.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(_ expression: String, sources: [(name: String, kind: RecordKind)]) throws(FilterError) {
        self.init(try RecordFilter(expression, sources: sources))
    }

    /// The same, of a filter that is compiled already.
    public init(_ filter: RecordFilter) {
        self.init(filter.filter) { record in
            if case .gap = record.kind { return .matched }
            return filter.evaluate(record)
        }
    }
}
