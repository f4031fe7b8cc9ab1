public import Filter
public import JournalBridge

extension ValueFilter where Value == JournalEntry {
    /// A filter over the fields of `JournalSchema`.
    ///
    /// If the filter is known before the journal is opened, give it to `JournalQuery` instead, so that the journal's
    /// index helps and unwanted entries are never read.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(_ expression: String) throws(FilterError) {
        let schema = JournalSchema()
        let filter = try CompiledFilter(expression, schema: schema)
        let budget = filter.makeBudget()
        self.init(filter) { $0.evaluate(filter, schema: schema, within: budget) }
    }
}

extension ValueFilter where Value == JournalItem {
    /// The same for the items of a journal's signal: gaps, skipped fields and the end of the old entries are always
    /// let through.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(_ expression: String) throws(FilterError) {
        let entries = try ValueFilter<JournalEntry>(expression)
        self.init(entries.filter) { item in item.entry.map { entries.evaluate($0) } ?? .matched }
    }
}
