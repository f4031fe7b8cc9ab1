/// What a bounded queue does with an event that finds it full. Every loss is counted.
public enum Overflow<Failure: Error>: Sendable {
    /// The sending thread waits for room, so that a source that can pause is slowed and nothing is lost.
    ///
    /// Waiting is refused where it would stall others: inside a Swift task, and on the scheduler being waited for.
    /// There the event is lost and counted, as with ``dropNewest``.
    case wait
    /// The oldest waiting value makes room.
    case dropOldest
    /// The arriving value is lost.
    case dropNewest
    /// The signal fails with what the closure makes of the number of values lost, after the values already waiting.
    case fail(@Sendable (_ lost: Int) -> Failure)
}
