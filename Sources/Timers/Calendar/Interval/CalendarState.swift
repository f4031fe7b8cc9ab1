/// When the ticks of a calendar are due, and which of them come. It is a value, driven by the time passed in.
struct CalendarState: Sendable {
    private let schedule: CalendarSchedule
    private let offset: CalendarOffset
    private let missed: MissedTimes
    /// How late a tick may come, in nanoseconds; nil for any time.
    private let grace: Int64?
    /// The calendar's times up to this instant have had their ticks.
    private(set) var done: TimerInstant
    /// Ticks that are due later have not come. Differs from ``done`` by the offset.
    private var reached: TimerInstant
    private var index = 0
    /// Ticks that came due and were left out since the last one.
    private var leftOut = 0

    /// Missed ticks are counted one by one up to this number; a calendar of seconds may miss many more in a year.
    static var countLimit: Int { 100_000 }

    /// - Parameter done: the calendar's time up to which there were ticks; nil for those that were due by `now`.
    init(
        _ schedule: CalendarSchedule,
        _ jitter: Jitter,
        missed: MissedTimes,
        grace: Duration?,
        done: TimerInstant?,
        at now: TimerInstant
    ) {
        self.schedule = schedule
        self.missed = missed
        self.grace = grace.map { max(0, $0.saturatedNanoseconds) }
        offset = jitter.offset(for: schedule)
        self.done = done ?? offset.boundary(at: now)
        reached = now
        if missed == .skip { leaveOut(dueBy: now) }
    }

    /// When the next tick is due; nil when none will be.
    var next: TimerInstant? {
        schedule.next(after: done).map(offset.due)
    }

    /// The tick that is due; nil when none is. Those before it that do not come are counted as missed.
    mutating func tick(at now: TimerInstant) -> Tick? {
        if let grace { leaveOut(dueBy: now.advanced(byNanoseconds: -grace).advanced(byNanoseconds: -1)) }
        guard let first = schedule.next(after: done), offset.due(first) <= now else { return nil }
        let chosen = missed == .runAll ? first : offset.lastDue(from: first, at: now)
        let missed = schedule.count(from: first, to: chosen)
        let tick = Tick(index: index + missed, scheduled: offset.due(chosen), actual: now, missed: leftOut + missed)
        index = tick.index + 1
        leftOut = 0
        done = chosen
        reached = tick.scheduled
        return tick
    }

    /// The observer is ready again: unless all of them come, ticks that came due before now are left out, and counted
    /// by the next tick.
    mutating func resume(at now: TimerInstant) {
        if missed != .runAll { leaveOut(dueBy: now.advanced(byNanoseconds: -1)) }
    }

    private mutating func leaveOut(dueBy now: TimerInstant) {
        guard let first = schedule.next(after: done), offset.due(first) <= now else { return }
        let last = offset.lastDue(from: first, at: now)
        let count = schedule.count(from: first, to: last) + 1
        index += count
        leftOut += count
        done = last
        reached = max(reached, offset.due(last))
    }

    /// The clock was set. If it was set to a time before the last tick, ticks that become due again come again.
    /// - Returns: whether the next tick has changed.
    mutating func clockWasSet(to now: TimerInstant) -> Bool {
        guard now < reached else { return false }
        // Earlier times whose ticks have not come yet, as after a stamp, are still to come.
        done = min(done, offset.boundary(at: now))
        reached = now
        return true
    }
}

extension CalendarSchedule {
    /// How many times there are from `first` on before `latest`; both are times of the calendar.
    func count(from first: TimerInstant, to latest: TimerInstant) -> Int {
        var (count, time) = (0, first)
        while time < latest, count < CalendarState.countLimit, let next = next(after: time) {
            time = next
            count += 1
        }
        return count
    }
}
