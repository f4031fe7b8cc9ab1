/// One event of a signal: `next* (completed | failed)?`.
@frozen
public enum Event<Value: Sendable, Failure: Error>: Sendable {
    /// A value. Any number of them come before the end.
    case next(Value)
    /// The signal ended without a failure. No event follows.
    case completed
    /// The signal ended with a failure. No event follows.
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

/// How a signal ended.
@frozen
public enum Termination<Failure: Error>: Sendable {
    /// The signal completed.
    case completed
    /// The signal failed.
    case failed(Failure)
}

extension Termination: Equatable where Failure: Equatable {}

/// An observer's answer to a value: whether it wants another.
@frozen
public enum Demand: Sendable, Equatable {
    /// Keep sending.
    case more
    /// The value was taken. Send no further value until there is room; ``Observer/whenReady(_:)`` tells the sender
    /// when there is. Losses and the end may be sent all the same.
    case pause
    /// Send no further value. The sender releases what the subscription holds and then calls
    /// ``Observer/terminate(_:)`` with ``Termination/completed``.
    case stop
}
