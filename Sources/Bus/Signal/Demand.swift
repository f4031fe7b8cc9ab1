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
