@testable import Filter

/// The value of an expression that need not be a condition, compiled without checks where a test wants the
/// evaluator's own view.
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

/// Why an expression is refused, as a person reads it; `nil` when it is not.
func refusal(of expression: String) -> String? {
    do {
        _ = try compile(expression)
        return nil
    } catch {
        return error.description
    }
}
