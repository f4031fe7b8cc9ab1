/// The part of a filter that is the same for all records: what callers in other modules specialise is only the
/// reading of a field.
@usableFromInline
struct CompiledProgram: Sendable {
    let program: Program

    init(_ program: Program) {
        self.program = program
    }

    @usableFromInline
    func matches(_ read: (FieldID) -> FieldValue) -> Bool {
        var arena = Arena()
        if case .bool(true) = program.evaluate(&arena, read) { return true }
        return false
    }

    @usableFromInline
    func evaluate(_ read: (FieldID) -> FieldValue) -> FilterOutcome {
        var arena = Arena()
        switch program.evaluate(&arena, read) {
        case .bool(true): return .matched
        case .bool(false): return .rejected
        case .error(let fault): return .failed(EvaluationError(fault, in: program))
        case let other:
            let fault = Fault(code: .notBoolean, left: other.kind, right: .null, instruction: program.root)
            return .failed(EvaluationError(fault, in: program))
        }
    }

    /// The expression's value, whatever its type.
    func value(_ read: (FieldID) -> FieldValue) -> Result<OwnedValue, EvaluationError> {
        var arena = Arena()
        let value = program.evaluate(&arena, read)
        // The value may lie in the arena until it is copied.
        defer { withExtendedLifetime(arena) {} }
        if case .error(let fault) = value { return .failure(EvaluationError(fault, in: program)) }
        return .success(OwnedValue(copying: value) ?? .null)
    }
}
