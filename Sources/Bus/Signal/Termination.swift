/// How a signal ended.
@frozen
public enum Termination<Failure: Error>: Sendable {
    /// There is nothing more to say.
    case completed
    /// The signal failed.
    case failed(Failure)
}

extension Termination: Equatable where Failure: Equatable {}
