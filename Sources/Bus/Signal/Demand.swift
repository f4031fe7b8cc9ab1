/// What an observer answers to a value: whether it wants another.
@frozen
public enum Demand: Sendable, Equatable {
    /// Keep sending.
    case more
    /// Send no further value. The sender releases what the subscription holds and then calls
    /// ``Observer/terminate(_:)`` with ``Termination/completed``.
    case stop
}
