/// An expression, checked against a source's fields and ready to be evaluated on its records, from any number of
/// threads at once.
public struct CompiledFilter: Sendable {
    /// The fields that the expression reads, in the order in which it names them: no other is ever asked of a record.
    public let fields: [FieldDefinition]

    /// What the source's index can answer of it. Whatever the filter matches, this selects; it is `.everything` when
    /// the index cannot help.
    public let match: Match

    @usableFromInline let program: CompiledProgram

    /// Compiles an expression.
    ///
    /// - Throws: what is wrong with the expression, before any record is read. Beyond 100 000 code points, or more
    ///   than 250 levels deep, an expression is refused.
    public init(_ source: String, schema: some FieldSchema) throws(FilterError) {
        try self.init(source, schema: schema, options: CompileOptions())
    }

    init(_ text: String, schema: some FieldSchema, options: CompileOptions) throws(FilterError) {
        let source = SourceText(text)
        do throws(Complaint) {
            let expression = try Parser.parse(source)
            var checker = Checker(source, schema: schema, options: options)
            let term = try checker.check(expression)
            fields = checker.fields
            match = MatchPlanner(fields: checker.fields, schema: schema).match(for: term)
            program = CompiledProgram(Program(term, fields: checker.fields, source: source))
        } catch {
            throw FilterError(error, in: source)
        }
    }

    /// Whether the record is selected: only when the expression's value is `true`. An error is no match.
    ///
    /// Comparing and searching text allocates nothing.
    @inlinable
    public func matches<Record: FilterRecord & ~Copyable>(_ record: borrowing Record) -> Bool {
        program.matches { record.value(of: $0) }
    }

    /// What the filter says of the record, with the reason where it has no answer.
    @inlinable
    public func evaluate<Record: FilterRecord & ~Copyable>(_ record: borrowing Record) -> FilterOutcome {
        program.evaluate { record.value(of: $0) }
    }
}
