/// When the ticks of a calendar are due, and which of them come. It is a value, driven by the time passed in.
struct CalendarState: Sendable {
    private let schedule: CalendarSchedule
    private let offset: CalendarOffset
    /// The calendar's times up to this instant have had their ticks.
    private(set) var done: TimerInstant
    /// Ticks that are due later have not come. Differs from ``done`` by the offset.
    private var reached: TimerInstant
    private var index = 0
    /// Ticks that came due and were left out since the last one, because the observer paused.
    private var leftOut = 0

    /// Missed ticks are counted one by one up to this number; a calendar of seconds may miss many more in a year.
    private static var countLimit: Int { 100_000 }

    /// - Parameter done: the calendar's time up to which there were ticks; nil for those that were due by `now`.
    init(_ schedule: CalendarSchedule, _ delay: Jitter, done: TimerInstant?, at now: TimerInstant) {
        self.schedule = schedule
        offset = delay.offset(for: schedule)
        self.done = done ?? offset.boundary(at: now)
        reached = now
    }

    /// When the next tick is due; nil when none will be.
    var next: TimerInstant? {
        schedule.next(after: done).map(offset.due)
    }

    /// The latest tick that is due; those before it are counted as missed. Nil when none is due.
    mutating func tick(at now: TimerInstant) -> Tick? {
        guard let first = schedule.next(after: done), offset.due(first) <= now else { return nil }
        let latest = offset.lastDue(from: first, at: now)
        let missed = count(from: first, to: latest)
        let tick = Tick(index: index + missed, scheduled: offset.due(latest), actual: now, missed: leftOut + missed)
        index = tick.index + 1
        leftOut = 0
        done = latest
        reached = tick.scheduled
        return tick
    }

    /// The observer is ready again: ticks that came due before now are left out, and counted by the next tick.
    mutating func resume(at now: TimerInstant) {
        if let tick = tick(at: now.advanced(byNanoseconds: -1)) { leftOut = tick.missed + 1 }
    }

    /// The clock was set. If it was set to a time before the last tick, ticks that become due again come again.
    /// - Returns: whether the next tick has changed.
    mutating func clockWasSet(to now: TimerInstant) -> Bool {
        guard now < reached else { return false }
        done = offset.boundary(at: now)
        reached = now
        return true
    }

    private func count(from first: TimerInstant, to latest: TimerInstant) -> Int {
        var (count, time) = (0, first)
        while time < latest, count < Self.countLimit, let next = schedule.next(after: time) {
            time = next
            count += 1
        }
        return count
    }
}
