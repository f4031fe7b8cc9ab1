/// What becomes of a value that a bounded queue has no room for. Every loss is counted, and whoever consumes the values
/// learns of it in the place where they are missing.
public enum Overflow<Failure: Error>: Sendable {
    /// The source is told to pause when the queue is full, and to go on when there is room: nothing is lost. A source that
    /// cannot pause, or goes on all the same, loses the newest.
    case pause
    /// The oldest waiting value makes room. The source is not slowed.
    case dropOldest
    /// The arriving value is lost. The source is not slowed.
    case dropNewest
    /// The signal fails, after the values already waiting, with what the closure makes of the number of values that found no
    /// room until then. The source is not slowed.
    case fail(@Sendable (_ lost: Int) -> Failure)
}
