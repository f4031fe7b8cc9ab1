@testable import Filter

/// The value of an expression that need not be a condition. It is compiled without checks if a test needs the
/// evaluator's result.
func value(
    of expression: String,
    _ record: SampleRecord = SampleRecord(),
    checked: Bool = true
) throws -> OwnedValue {
    let options = CompileOptions(isChecked: checked, requiresCondition: false)
    let filter = try CompiledFilter(expression, schema: JournalSchema(), options: options)
    return try filter.program.value { record.value(of: $0, at: $1) }.get()
}

func compile(_ expression: String) throws(FilterError) -> CompiledFilter {
    try CompiledFilter(expression, schema: JournalSchema())
}

/// The reason for refusing an expression, as shown to users; `nil` if it is accepted.
func refusal(of expression: String, schema: some FieldSchema = JournalSchema()) -> String? {
    do {
        _ = try CompiledFilter(expression, schema: schema)
        return nil
    } catch {
        return error.description
    }
}
