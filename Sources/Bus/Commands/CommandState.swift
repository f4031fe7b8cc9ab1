/// Whether a command may execute and is executing, as a pure value.
struct CommandState: Sendable {
    let isConcurrent: Bool
    /// The last value of the signal given with the command.
    var isAllowed = true
    private(set) var executions = 0

    init(isConcurrent: Bool) {
        self.isConcurrent = isConcurrent
    }

    var isExecuting: Bool { executions > 0 }

    var isEnabled: Bool { isAllowed && (isConcurrent || !isExecuting) }

    /// Begins one more execution, if that is allowed; returns whether it is.
    mutating func begin() -> Bool {
        guard isEnabled else { return false }
        executions += 1
        return true
    }

    mutating func end() {
        executions -= 1
    }
}
