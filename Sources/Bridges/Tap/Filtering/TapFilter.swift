import Filter

/// A client's filter, compiled in the watched program, within limits.
struct TapFilter {
    private let filter: CompiledFilter
    private let budget: FilterBudget
    /// Whether it must know the value's JSON.
    let usesValue: Bool

    init(_ text: String, _ limits: FilterLimits) throws(VarlinkError) {
        do throws(FilterError) {
            filter = try CompiledFilter(text, schema: TapSchema(), limits: limits)
        } catch {
            throw .invalidFilter(
                message: error.message,
                line: error.line,
                column: error.column,
                isOverLimit: error.kind == .overLimit
            )
        }
        budget = filter.makeBudget()
        usesValue = filter.fields.contains { $0.id.rawValue == TapSchema.Field.value.rawValue }
    }

    enum Answer {
        case passes
        case fails
        /// It was stopped, because it would have cost too much.
        case tooCostly
    }

    func look(at event: borrowing TapRecord) -> Answer {
        let stopped = budget.stopped
        switch filter.evaluate(event, within: budget) {
        case .matched: return .passes
        case .rejected: return .fails
        case .failed: return budget.stopped == stopped ? .fails : .tooCostly
        }
    }
}

/// An event as a filter sees it. The memory that it points to stays valid for as long as the record.
struct TapRecord: FilterRecord, ~Copyable {
    let topic: UnsafeRawBufferPointer
    let sequence: UInt64
    /// Microseconds since 1970.
    let time: Int64
    let scope: UnsafeRawBufferPointer
    let origin: UnsafeRawBufferPointer
    let type: UnsafeRawBufferPointer
    /// JSON; nil where there is none.
    let value: UnsafeRawBufferPointer?

    func value(of field: FieldID) -> FieldValue {
        switch TapSchema.Field(rawValue: field.rawValue) {
        case .topic: .text(topic)
        case .sequence: .int(Int64(clamping: sequence))
        case .time: .timestamp(microseconds: time)
        case .scope: .text(scope)
        case .origin: .text(origin)
        case .type: .text(type)
        case .value: value.map { .json($0) } ?? .absent
        case nil: .absent
        }
    }
}
