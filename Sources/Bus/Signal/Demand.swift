/// What an observer answers to a value: whether it wants another.
@frozen
public enum Demand: Sendable, Equatable {
    /// Keep sending.
    case more
    /// The value was taken. Send no further value until there is room, of which ``Observer/whenReady(_:)`` lets the sender
    /// know. Losses and the end may be sent all the same.
    case pause
    /// Send no further value. The sender releases what the subscription holds and then calls
    /// ``Observer/terminate(_:)`` with ``Termination/completed``.
    case stop
}
