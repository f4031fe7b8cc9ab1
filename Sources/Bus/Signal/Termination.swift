/// How a signal ended.
@frozen
public enum Termination<Failure: Error>: Sendable {
    /// The signal completed.
    case completed
    /// The signal failed.
    case failed(Failure)
}

extension Termination: Equatable where Failure: Equatable {}
