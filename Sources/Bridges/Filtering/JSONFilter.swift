public import Filter

extension ValueFilter where Value == [UInt8] {
    /// A filter over JSON objects, each given as its text; see `JSONSchema`.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(json expression: String, schema: JSONSchema = JSONSchema()) throws(FilterError) {
        let filter = try CompiledFilter(expression, schema: schema)
        let budget = filter.makeBudget()
        self.init(filter) { text in schema.withRecord(text) { filter.evaluate($0, within: budget) } }
    }
}

extension ValueFilter where Value == String {
    /// A filter over JSON objects, each given as its text; see `JSONSchema`.
    ///
    /// - Throws: `FilterError`, which describes the mistake in the expression.
    public init(json expression: String, schema: JSONSchema = JSONSchema()) throws(FilterError) {
        let filter = try CompiledFilter(expression, schema: schema)
        let budget = filter.makeBudget()
        self.init(filter) { text in schema.withRecord(text.utf8) { filter.evaluate($0, within: budget) } }
    }
}
