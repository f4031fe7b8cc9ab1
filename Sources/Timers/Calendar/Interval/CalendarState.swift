/// When the ticks of a calendar are due, and which of them come. It is a value, driven by the time passed in.
struct CalendarState: Sendable {
    private let schedule: CalendarSchedule
    private var delays: SpreadDelay.Sequence
    /// The calendar's time of the last tick; before the first, where the search began.
    private(set) var last: TimerInstant
    private var index: Int
    private var delay: Int64
    /// Ticks that came due and were left out since the last one, because the observer had no room.
    private var leftOut = 0

    /// Missed ticks are counted one by one up to this number; a calendar of seconds may miss many more in a year.
    private static var countLimit: Int { 100_000 }

    /// - Parameter index: the first tick's number.
    init(_ schedule: CalendarSchedule, _ delay: SpreadDelay, after start: TimerInstant, index: Int = 0) {
        self.index = index
        self.schedule = schedule
        delays = delay.delays
        last = start
        self.delay = delays.next()
    }

    /// When the next tick is due; nil when none will be.
    var next: TimerInstant? {
        schedule.next(after: last)?.advanced(byNanoseconds: delay)
    }

    /// The latest tick that is due; those before it are counted as missed. Nil when none is due.
    mutating func tick(at now: TimerInstant) -> Tick? {
        guard let first = schedule.next(after: last), first.advanced(byNanoseconds: delay) <= now else { return nil }
        let latest = latest(from: first, until: now.advanced(byNanoseconds: -delay))
        let missed = count(from: first, to: latest)
        let tick = Tick(
            index: index + missed,
            scheduled: latest.advanced(byNanoseconds: delay),
            actual: now,
            missed: leftOut + missed
        )
        index = tick.index + 1
        leftOut = 0
        last = latest
        delay = delays.next()
        return tick
    }

    /// There is room again: ticks that came due before now are left out, and counted by the next tick.
    mutating func resume(at now: TimerInstant) {
        if let tick = tick(at: now.advanced(byNanoseconds: -1)) { leftOut = tick.missed + 1 }
    }

    /// The tick that stands for all that were due until now; nil when there was none.
    func catchUp(at now: TimerInstant) -> Tick? {
        var state = self
        return state.tick(at: now)
    }

    /// The clock was set. If it was set to a time before the last tick, times that come again tick again.
    /// - Returns: whether the next tick has changed.
    mutating func clockWasSet(to now: TimerInstant) -> Bool {
        guard now < last else { return false }
        last = now
        return true
    }

    /// The last of the calendar's times that is not after `limit`, of which `first` is one.
    private func latest(from first: TimerInstant, until limit: TimerInstant) -> TimerInstant {
        // Looks back from the limit, twice as far each time, until a time lies in between.
        var distance: Int64 = 1_000_000_000
        while true {
            let start = limit.advanced(byNanoseconds: -distance)
            guard start > first else { return walk(from: first, until: limit) }
            if let found = schedule.next(after: start), found <= limit { return walk(from: found, until: limit) }
            distance *= 2
        }
    }

    private func walk(from first: TimerInstant, until limit: TimerInstant) -> TimerInstant {
        var latest = first
        while let next = schedule.next(after: latest), next <= limit { latest = next }
        return latest
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
