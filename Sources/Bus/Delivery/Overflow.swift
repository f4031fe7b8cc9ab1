/// The treatment of a value for which a bounded queue has no room. Every loss is counted, and the consumer of the
/// values learns of it at the point in the sequence where they are missing.
public enum Overflow<Failure: Error>: Sendable {
    /// The source is told to pause when the queue is full, and to go on when there is room: nothing is lost. A source that
    /// cannot pause, or goes on all the same, loses the newest.
    case pause
    /// The oldest waiting value makes room. The source is not slowed.
    case dropOldest
    /// The arriving value is lost. The source is not slowed.
    case dropNewest
    /// The signal fails after the values that wait already. The closure makes the failure from the number of values
    /// that found no room until then. The source is not slowed.
    case fail(@Sendable (_ lost: Int) -> Failure)
}
