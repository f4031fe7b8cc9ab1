/// One value of an interval.
public struct Tick: Sendable, Hashable {
    /// The tick's number, from zero. Missed ticks have numbers too, so after a gap it jumps.
    public let index: Int
    /// When the tick was due: the interval's start plus a whole number of periods, regardless of earlier delays.
    public let scheduled: TimerInstant
    /// When it came, never before ``scheduled``.
    public let actual: TimerInstant
    /// How many ticks between the previous one and this one came due and were skipped: they were too late, or the
    /// observer had no room.
    public let missed: Int

    public init(index: Int, scheduled: TimerInstant, actual: TimerInstant, missed: Int) {
        self.index = index
        self.scheduled = scheduled
        self.actual = actual
        self.missed = missed
    }

    /// How late it came.
    public var lateness: Duration { scheduled.duration(to: actual) }
}
