public import Bus

/// A scheduler on the wall clock, which people and NTP set: ``WallScheduler``, and in tests `TestScheduler`'s `wall`.
///
/// Its instants are nanoseconds since 1970-01-01 00:00 UTC. A deadline is a time of day. When the clock is set
/// forward past it, the timer is due at once. When the clock is set back, the timer waits for that time to come
/// (again); timers that were due but had not begun to run wait, too. A timer never runs while the clock shows less
/// than its deadline.
///
/// Use it for calendars. For durations, use a scheduler whose clock is never set.
public protocol WallTime: TimedScheduler {
    /// Sends a value when the clock is set. Hot; it sends on this scheduler, before or after the timers that the step
    /// made due were handed to it; the order is not promised. Never ends.
    var steps: AnySignal<ClockStep, Never> { get }
}
