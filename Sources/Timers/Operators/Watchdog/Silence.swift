/// How long a watched signal has been silent.
public struct Silence: Sendable, Hashable {
    /// When it was last heard, or subscribed to.
    public let since: TimerInstant
    /// How long that is ago.
    public let duration: Duration
    /// How many times the watchdog's duration has passed: 1 the first time in a silence, then 2, and so on. It jumps
    /// if a busy scheduler was late.
    public let count: Int

    public init(since: TimerInstant, duration: Duration, count: Int) {
        self.since = since
        self.duration = duration
        self.count = count
    }
}
