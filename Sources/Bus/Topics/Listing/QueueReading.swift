/// The state of a subscriber's queue at one moment. Times are in nanoseconds of `CLOCK_MONOTONIC`.
struct QueueReading {
    let waiting: Int
    let highWater: Int
    let lost: Int
    /// The time since which the subscriber has had no room; nil when it has room.
    let pausedAt: Int64?
    /// No waiting value is older; nil when none waits.
    let oldest: Int64?
    /// How many values the subscriber was sent; nil where the queue does not count them.
    let delivered: Int?
}
