public import Filter

/// A filter together with how it reads values of one type, ready for ``Bus/Signal/filter(matching:tally:)``.
///
/// OS signals, ticks and journal entries need only the expression, `ValueFilter<Tick>("missed > 0")`; values of your
/// own type come with a `FieldTable`.
public struct ValueFilter<Value>: Sendable {
    /// The compiled expression, to be explained.
    public let filter: CompiledFilter

    private let outcome: @Sendable (Value) -> FilterOutcome

    /// - Parameters:
    ///   - filter: decides.
    ///   - outcome: asks it about a value; runs on the signal's thread.
    public init(_ filter: CompiledFilter, asking outcome: @escaping @Sendable (Value) -> FilterOutcome) {
        self.filter = filter
        self.outcome = outcome
    }

    /// Compiles the expression with the table's fields. All its evaluations share a budget.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(_ expression: String, fields: FieldTable<Value>) throws(FilterError) {
        let filter = try CompiledFilter(expression, schema: fields)
        let budget = filter.makeBudget()
        self.init(filter) { filter.evaluate(fields.record($0), within: budget) }
    }

    /// The filter's result for the value.
    public func evaluate(_ value: Value) -> FilterOutcome {
        outcome(value)
    }

    @usableFromInline
    func selects(_ value: Value, _ tally: FilterTally?) -> Bool {
        let outcome = outcome(value)
        if let tally { return tally.count(outcome) }
        if case .matched = outcome { return true }
        return false
    }
}
