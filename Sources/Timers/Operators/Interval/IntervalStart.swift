/// When an interval's first tick is due.
public enum IntervalStart: Sendable, Hashable {
    /// One period after subscribing.
    case afterPeriod
    /// At once.
    case immediately
    /// At an instant of the scheduler's clock. An instant that has passed sets the beat: the first tick is due a
    /// whole number of periods after it.
    case at(TimerInstant)
}
