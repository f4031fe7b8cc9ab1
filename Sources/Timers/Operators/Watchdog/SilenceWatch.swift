/// The state of a watchdog.
struct SilenceWatch: Sendable {
    private let interval: Int64
    private var heard: Int64
    /// How many times it has reported in this silence, including the times for which it was too late.
    private var count = 0

    init(interval: Int64, heard: Int64) {
        // Shorter durations are below the resolution of timers, and the watchdog would never be silent itself.
        self.interval = max(interval, TickGrid.shortest)
        self.heard = heard
    }

    /// When to look next, if nothing is heard until then.
    var deadline: Int64 {
        let reached = heard &+ Int64(count) &* interval
        return reached.later(by: interval)
    }

    /// Checks at `now`, the source having last been heard at `heard`; returns the silence to report, if any.
    mutating func look(heard: Int64, at now: Int64) -> Silence? {
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
