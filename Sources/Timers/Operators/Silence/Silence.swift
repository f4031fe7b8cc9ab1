/// How long a watched signal has been silent.
public struct Silence: Sendable, Hashable {
    /// When it was last heard, or subscribed to.
    public let since: TimerInstant
    /// How long that is ago.
    public let duration: Duration
    /// How many times the watchdog's duration has passed: 1 the first time in a silence, then 2, and so on. It jumps
    /// if a busy scheduler was late.
    public let count: Int

    /// For tests of code that hears of silences.
    public init(since: TimerInstant, duration: Duration, count: Int) {
        self.since = since
        self.duration = duration
        self.count = count
    }
}

/// Which silences a watchdog reports. It is a value that is given the time.
struct SilenceReports: Sendable {
    let interval: Int64
    private var heard: Int64
    /// How many intervals of this silence were reported, including those for which a report was too late.
    private var count = 0

    init(interval: Int64, heard: Int64) {
        // Shorter durations are below the resolution of timers, and the watchdog would never be silent itself.
        self.interval = max(interval, TickGrid.minPeriod)
        self.heard = heard
    }

    /// When to check next, if nothing is heard until then.
    var deadline: Int64 {
        let reached = heard &+ Int64(count) &* interval
        return reached.later(by: interval)
    }

    /// Checks at `now`, the source having last been heard at `heard`; returns the silence to report, if any.
    mutating func check(heard: Int64, at now: Int64) -> Silence? {
        if heard != self.heard {
            self.heard = heard
            count = 0
        }
        // Unsigned, so that the distance between any two instants fits.
        let distance = now <= heard ? 0 : UInt64(bitPattern: now &- heard)
        let passed = Int(distance / UInt64(interval))
        guard passed > count else { return nil }
        count = passed
        let since = TimerInstant(nanoseconds: heard)
        return Silence(since: since, duration: since.duration(to: TimerInstant(nanoseconds: now)), count: count)
    }
}
