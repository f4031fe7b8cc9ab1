/// Why an execution of a ``Command`` did not do its work.
public enum CommandError<Failure: Error>: Error {
    /// The work was not begun: the command was disabled, or was executing and does one thing at a time.
    case disabled
    /// The work failed.
    case failed(Failure)
}

extension CommandError: Equatable where Failure: Equatable {}

extension CommandError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .disabled:
            "the command was not executed, because it is disabled or still executing;"
                + " wait until its isEnabled is true, or make it concurrent"
        case .failed(let failure): "the command's work failed: \(failure)"
        }
    }
}
