/// An expression, checked against a source's fields and ready to be evaluated on its records, from any number of
/// threads at once.
///
/// A record is selected when the expression's value for it is `true`. `false` and every error are no match: an
/// expression that has no answer for a record does not select it, and neither does its negation. ``evaluate(_:)`` tells
/// the two apart, and ``FilterTally`` counts them.
public struct CompiledFilter: Sendable {
    /// The fields that the expression reads, in the order in which it names them. No other field is ever read from a
    /// record.
    public let fields: [FieldDefinition]

    /// The part of the expression that the source's index can answer. It selects every record that the filter
    /// matches; it is `.everything` when the index cannot help.
    public let match: Match

    /// Probable mistakes in the expression, such as a comparison that can never hold; at most 16, in the order in
    /// which they were found. The filter works all the same.
    public let warnings: [FilterWarning]

    /// The expression in the language's plain spelling: compiling it gives the same filter.
    public var text: String { ExpressionPrinter.print(expression) }

    @usableFromInline let program: CompiledProgram

    let expression: Expression
    let term: Term
    let planner: MatchPlanner

    /// Where the expression first names each of ``fields``.
    private let fieldRanges: [SourceRange]

    /// Compiles an expression.
    ///
    /// - Parameters:
    ///   - source: the expression.
    ///   - schema: the fields of the records.
    ///   - limits: the limits for the expression. Beyond them, or more than ``FilterLimits/depth`` levels deep, it is
    ///     refused, or stopped while it is evaluated.
    /// - Throws: a ``FilterError`` that describes the mistake, before any record is read.
    public init(_ source: String, schema: some FieldSchema, limits: FilterLimits = FilterLimits()) throws(FilterError) {
        var options = CompileOptions()
        options.limits = limits
        try self.init(source, schema: schema, options: options)
    }

    init(_ text: String, schema: some FieldSchema, options: CompileOptions) throws(FilterError) {
        let source = SourceText(text)
        do throws(Complaint) {
            expression = try Parser.parse(source, lengthLimit: options.limits.length)
            var checker = try Checker(source, expression, schema: schema, options: options)
            term = try checker.check(expression)
            try CostEstimate.check(term, options.limits)
            fields = checker.fields
            fieldRanges = checker.fieldRanges
            warnings = checker.warnings.map { FilterWarning($0, in: source) }
            planner = MatchPlanner(fields: checker.fields, schema: schema)
            match = planner.match(for: term)
            let program = Program(
                term,
                fields: checker.fields,
                slotCount: checker.slotCount,
                source: source,
                limits: options.limits
            )
            self.program = CompiledProgram(program)
        } catch {
            throw FilterError(error, in: source)
        }
    }

    /// A warning of the source's own, at the place where the expression first names the field.
    ///
    /// - Parameters:
    ///   - index: the field's place in ``fields``.
    ///   - message: the probable mistake and the correction, in one sentence without a full stop.
    package func warning(aboutFieldAt index: Int, _ message: String) -> FilterWarning {
        FilterWarning(Complaint(message, at: fieldRanges[index]), in: program.program.source)
    }

    /// Whether the record is selected: only when the expression's value is `true`. An error is no match.
    ///
    /// Comparing and searching text allocates nothing.
    @inlinable
    public func matches<Record: FilterRecord & ~Copyable>(_ record: borrowing Record) -> Bool {
        program.matches { record.value(of: $0, at: $1) }
    }

    /// The filter's result for the record, with the reason where it has no answer.
    @inlinable
    public func evaluate<Record: FilterRecord & ~Copyable>(_ record: borrowing Record) -> FilterOutcome {
        program.evaluate { record.value(of: $0, at: $1) }
    }
}
