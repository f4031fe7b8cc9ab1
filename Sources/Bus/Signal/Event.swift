/// One event of a signal: `next* (completed | failed)?`.
@frozen
public enum Event<Value: Sendable, Failure: Error>: Sendable {
    case next(Value)
    case completed
    case failed(Failure)

    /// The event for a termination.
    @inlinable
    public init(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: self = .completed
        case .failed(let failure): self = .failed(failure)
        }
    }
}

extension Event: Equatable where Value: Equatable, Failure: Equatable {}

extension Event: CustomStringConvertible {
    public var description: String {
        switch self {
        case .next(let value): "next(\(value))"
        case .completed: "completed"
        case .failed(let failure): "failed(\(failure))"
        }
    }
}
