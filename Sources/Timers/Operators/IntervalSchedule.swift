/// When the ticks of an interval are due, and which of them come.
struct IntervalSchedule: Sendable {
    /// The next tick's deadline and number.
    private(set) var next: TimerInstant
    private var index = 0
    private let period: Int64

    init(start: TimerInstant, period: Duration, first: IntervalStart) {
        self.period = max(period.saturatedNanoseconds, 1 << Int64(TimerWheel<Never>.defaultResolutionBits))
        next = first == .immediately ? start : start.advanced(byNanoseconds: self.period)
    }

    /// The latest tick that is due at `now`; those before it are counted as missed.
    mutating func tick(at now: TimerInstant) -> Tick {
        // Unsigned, so that the distance between any two instants fits; a clock that is early by itself misses nothing.
        let late = now < next ? 0 : UInt64(bitPattern: now.nanoseconds &- next.nanoseconds)
        let missed = Int(late / UInt64(period))
        let scheduled = TimerInstant(nanoseconds: next.nanoseconds &+ Int64(truncatingIfNeeded: missed) &* period)
        let tick = Tick(index: index &+ missed, scheduled: scheduled, actual: max(now, scheduled), missed: missed)
        index = tick.index &+ 1
        next = scheduled.advanced(byNanoseconds: period)
        return tick
    }
}
