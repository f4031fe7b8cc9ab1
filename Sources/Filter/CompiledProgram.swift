/// The part of a filter that is the same for all records. Callers in other modules specialise only the reading of a
/// field.
@usableFromInline
struct CompiledProgram: Sendable {
    let program: Program

    init(_ program: Program) {
        self.program = program
    }

    @usableFromInline
    func matches(_ read: (FieldID, Int) -> FieldValue) -> Bool {
        var state = Evaluation(program, cost: program.limits.cost)
        if case .bool(true) = program.evaluate(&state, read) { return true }
        return false
    }

    @usableFromInline
    func matches(within budget: FilterBudget, _ read: (FieldID, Int) -> FieldValue) -> Bool {
        withValue(within: budget, read) { value in
            if case .bool(true) = value { return true }
            return false
        }
    }

    /// Whether the value is true, or cannot be known because computing it would cost too much.
    func mayMatch(within budget: FilterBudget, _ read: (FieldID, Int) -> FieldValue) -> Bool {
        withValue(within: budget, read) { value in
            switch value {
            case .bool(let value): value
            case .error(let fault): fault.code == .tooCostly || fault.code == .runTooCostly
            default: false
            }
        }
    }

    @usableFromInline
    func evaluate(_ read: (FieldID, Int) -> FieldValue) -> FilterOutcome {
        var state = Evaluation(program, cost: program.limits.cost)
        return outcome(program.evaluate(&state, read))
    }

    @usableFromInline
    func evaluate(within budget: FilterBudget, _ read: (FieldID, Int) -> FieldValue) -> FilterOutcome {
        withValue(within: budget, read, outcome)
    }

    /// The expression's value, whatever its type.
    func value(_ read: (FieldID, Int) -> FieldValue) -> Result<OwnedValue, EvaluationError> {
        var state = Evaluation(program, cost: program.limits.cost)
        let value = program.evaluate(&state, read)
        // The value may lie in the evaluation's memory until it is copied.
        defer { withExtendedLifetime(state) {} }
        if case .error(let fault) = value { return .failure(EvaluationError(fault, in: program)) }
        return .success(OwnedValue(copying: value) ?? .null)
    }

    /// The cost of an evaluation that may cost `limit` at most.
    func cost(allowing limit: Int, _ read: (FieldID, Int) -> FieldValue) -> Int {
        var state = Evaluation(program, cost: limit)
        _ = program.evaluate(&state, read)
        return limit - state.allowance.left
    }

    @inline(__always)
    private func withValue<Result>(
        within budget: FilterBudget,
        _ read: (FieldID, Int) -> FieldValue,
        _ body: (Value) -> Result
    ) -> Result {
        let granted = budget.grant()
        var state = Evaluation(program, cost: granted)
        var value = program.evaluate(&state, read)
        let isStopped = state.allowance.isExhausted
        budget.settle(isStopped ? granted : granted - state.allowance.left, isStopped: isStopped)
        if isStopped, granted < program.limits.cost {
            value = .error(program.fault(.runTooCostly, .null, .null, program.root))
        }
        return body(value)
    }

    private func outcome(_ value: Value) -> FilterOutcome {
        switch value {
        case .bool(true): return .matched
        case .bool(false): return .rejected
        case .error(let fault): return .failed(EvaluationError(fault, in: program))
        case let other:
            let fault = Fault(code: .notBoolean, left: other.kind, right: .null, instruction: program.root)
            return .failed(EvaluationError(fault, in: program))
        }
    }
}
