public import Bus

/// A scheduler on the wall clock, which people and NTP set: ``WallScheduler``, and in tests `TestScheduler`'s `wall`.
///
/// Its instants are nanoseconds since 1970-01-01 00:00 UTC. A deadline is a time of day, so when the clock is set forward
/// past it, the timer is due at once, and when it is set back, the timer waits for that time to come (again): what was
/// due but had not begun to run waits, too. A timer never runs while the clock shows less than its deadline.
///
/// Calendars need one. For durations, a scheduler whose clock is never set is the right one.
public protocol WallTime: TimedScheduler {
    /// Says when the clock is set. Hot; speaks on this scheduler, after the timers that the step made due were handed to
    /// it or before, in no promised order. Never ends.
    var steps: AnySignal<ClockStep, Never> { get }
}
