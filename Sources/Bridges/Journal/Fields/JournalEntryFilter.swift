public import Filter

extension JournalEntry {
    /// The filter's result for the entry; the cost of the evaluation is taken from the budget.
    ///
    /// - Parameters:
    ///   - filter: decides.
    ///   - schema: the schema that the filter was compiled with.
    ///   - budget: is shared by the entries of one journal.
    package func evaluate(
        _ filter: CompiledFilter,
        schema: JournalSchema,
        within budget: FilterBudget
    ) -> FilterOutcome {
        let layout = schema.layout
        if layout.isRepeated.contains(true) { return withRecord(schema) { filter.evaluate($0, within: budget) } }
        return storage.withView { filter.evaluate(EntryRecord(layout: layout, view: $0), within: budget) }
    }
}

extension JournalEntry {
    /// Lends the entry as a filter sees it.
    ///
    /// - Parameter schema: the schema that the filter was compiled with.
    package func withRecord<Result>(
        _ schema: JournalSchema,
        _ body: (borrowing JournalRecord) -> Result
    ) -> Result {
        let gatherer = FieldGatherer(schema.layout)
        return storage.withView { view in
            gatherer.take(from: view)
            return body(
                gatherer.record(cursor: view.cursor, realtime: view.header.realtime, monotonic: view.header.monotonic)
            )
        }
    }
}

extension JournalQuery {
    /// A filter as a query, with its results counted.
    ///
    /// The journal's index is not asked, so that every entry is counted, whatever the index knows. Entries that were received
    /// at other times than the filter asks for are neither read nor counted.
    public init(_ filter: CompiledFilter, schema: JournalSchema, tally: FilterTally, budget: FilterBudget? = nil) {
        let budget = budget ?? filter.makeBudget()
        self.init(schema: schema, window: TimeWindow(filter)) { tally.count(filter.evaluate($0, within: budget)) }
    }
}
