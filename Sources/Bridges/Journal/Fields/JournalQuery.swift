public import Filter

/// What to look for in a journal: a condition on each entry, the fields it reads, and what the journal's index can say
/// about it.
public struct JournalQuery: Sendable {
    package let match: Match
    package let layout: FieldLayout
    package let condition: Condition?

    /// The condition on an entry. A struct, because a closure that is optional itself is wrapped anew, on the heap,
    /// whenever it is called.
    package struct Condition: Sendable {
        package let holds: @Sendable (borrowing JournalRecord) -> Bool
    }

    /// Everything there is.
    public static var everything: JournalQuery { JournalQuery() }

    /// What the journal's index will be asked for: at most 16 terms, beyond which it is slower than reading everything.
    public var indexed: Match { MatchTerms(match).match }

    private init() {
        match = .everything
        layout = FieldLayout()
        condition = nil
    }

    /// What the filter selects.
    ///
    /// - Parameters:
    ///   - filter: decides about each entry.
    ///   - schema: the one that the filter was compiled with.
    ///   - budget: what all evaluations may cost together; it counts those that were stopped, whose entries are left out. One of
    ///     the filter's own by default.
    public init(_ filter: CompiledFilter, schema: JournalSchema, budget: FilterBudget? = nil) {
        let budget = budget ?? filter.makeBudget()
        self.init(schema: schema, match: filter.match) { filter.matches($0, within: budget) }
    }

    /// - Parameters:
    ///   - schema: the one that the condition was compiled with, so that it knows the fields.
    ///   - match: what the journal's index is asked for. It must select every entry that the condition accepts and may
    ///     select more.
    ///   - matches: the condition. It runs on the reading thread, once for every entry that the index selects.
    public init(
        schema: JournalSchema,
        match: Match = .everything,
        matches: @escaping @Sendable (borrowing JournalRecord) -> Bool
    ) {
        self.match = match
        layout = schema.layout
        condition = Condition(holds: matches)
    }
}
