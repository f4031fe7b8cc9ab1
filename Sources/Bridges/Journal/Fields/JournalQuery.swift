public import Filter

/// A query to a journal: a condition on each entry, the fields it reads, and the part of it that the journal's index
/// can answer.
public struct JournalQuery: Sendable {
    package let match: Match
    package let layout: FieldLayout
    package let condition: Condition?
    /// Conditions on single values that hold for every entry that is selected: of each list, one at least.
    let tests: [[ValueTest]]
    /// When the entries that are selected were received.
    let window: TimeWindow
    /// Whether of the entries within the window those with the same values of the layout's fields are all selected, or none.
    let isOfValues: Bool

    /// The condition on an entry. A struct, because a closure that is optional itself is wrapped anew, on the heap,
    /// whenever it is called.
    package struct Condition: Sendable {
        package let holds: @Sendable (borrowing JournalRecord) -> Bool
    }

    /// Everything there is.
    public static var everything: JournalQuery { JournalQuery() }

    /// The part that the journal's index will be asked for: at most 160 terms.
    package var indexed: Match { MatchTerms(match).match }

    private init() {
        match = .everything
        layout = FieldLayout()
        condition = nil
        tests = []
        window = TimeWindow()
        isOfValues = true
    }

    /// The entries that the filter selects.
    ///
    /// - Parameters:
    ///   - filter: decides about each entry.
    ///   - schema: the schema that the filter was compiled with.
    ///   - budget: the cost that all evaluations may have together; it counts those that were stopped, whose entries
    ///     are left out. By default a budget of the filter's own.
    public init(_ filter: CompiledFilter, schema: JournalSchema, budget: FilterBudget? = nil) {
        let budget = budget ?? filter.makeBudget()
        let probes = filter.probes
        let layout = schema.layout
        // Testing values has a budget of its own: this one counts the entries that were left out.
        let testing = filter.makeBudget()
        self.init(
            match: filter.match,
            window: TimeWindow(filter),
            layout: layout,
            tests: probes.compactMap { ValueTest.list($0, layout, within: testing) },
            isOfValues: filter.isOfValues && layout.isOfValues
        ) { filter.matches($0, within: budget) }
    }

    /// - Parameters:
    ///   - schema: the schema that the condition was compiled with, so that it knows the fields.
    ///   - match: the part that the journal's index is asked for. It must select every entry that the condition
    ///     accepts and may select more.
    ///   - matches: the condition. It runs on the reading thread, once for every entry that the index selects.
    public init(
        schema: JournalSchema,
        match: Match = .everything,
        matches: @escaping @Sendable (borrowing JournalRecord) -> Bool
    ) {
        self.init(schema: schema, match: match, window: TimeWindow(), matches: matches)
    }

    /// - Parameters:
    ///   - window: when the entries that the condition accepts were received.
    ///   - isOfValues: whether it accepts all of the entries there with the same values of the schema's fields, or none.
    package init(
        schema: JournalSchema,
        match: Match = .everything,
        window: TimeWindow,
        isOfValues: Bool = false,
        matches: @escaping @Sendable (borrowing JournalRecord) -> Bool
    ) {
        let layout = schema.layout
        self.init(
            match: match,
            window: window,
            layout: layout,
            tests: [],
            isOfValues: isOfValues && layout.isOfValues,
            matches: matches
        )
    }

    private init(
        match: Match,
        window: TimeWindow,
        layout: FieldLayout,
        tests: [[ValueTest]],
        isOfValues: Bool,
        matches: @escaping @Sendable (borrowing JournalRecord) -> Bool
    ) {
        self.match = match
        self.window = window
        self.layout = layout
        self.tests = tests
        self.isOfValues = isOfValues
        condition = Condition(holds: matches)
    }
}

extension CompiledFilter {
    /// Whether a journal's entries within the ``TimeWindow`` that have the same values of all fields but times are all selected, or none.
    package var isOfValues: Bool { isDecided(byBoundsOf: "__REALTIME_TIMESTAMP") }
}
