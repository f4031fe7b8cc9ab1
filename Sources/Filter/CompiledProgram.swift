/// The part of a filter that is the same for all records: what callers in other modules specialise is only the
/// reading of a field.
@usableFromInline
struct CompiledProgram: Sendable {
    let program: Program

    init(_ program: Program) {
        self.program = program
    }

    @usableFromInline
    func matches(_ read: (FieldID, Int) -> FieldValue) -> Bool {
        var state = Evaluation(program)
        if case .bool(true) = program.evaluate(&state, read) { return true }
        return false
    }

    @usableFromInline
    func evaluate(_ read: (FieldID, Int) -> FieldValue) -> FilterOutcome {
        var state = Evaluation(program)
        switch program.evaluate(&state, read) {
        case .bool(true): return .matched
        case .bool(false): return .rejected
        case .error(let fault): return .failed(EvaluationError(fault, in: program))
        case let other:
            let fault = Fault(code: .notBoolean, left: other.kind, right: .null, instruction: program.root)
            return .failed(EvaluationError(fault, in: program))
        }
    }

    /// The expression's value, whatever its type.
    func value(_ read: (FieldID, Int) -> FieldValue) -> Result<OwnedValue, EvaluationError> {
        var state = Evaluation(program)
        let value = program.evaluate(&state, read)
        // The value may lie in the evaluation's memory until it is copied.
        defer { withExtendedLifetime(state) {} }
        if case .error(let fault) = value { return .failure(EvaluationError(fault, in: program)) }
        return .success(OwnedValue(copying: value) ?? .null)
    }
}
