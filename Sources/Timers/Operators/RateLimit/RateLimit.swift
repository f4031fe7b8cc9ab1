public import Bus

extension Signal {
    /// At most `count` values in each `duration`, on average; the others wait in a queue.
    ///
    /// ```
    /// self                             -123456-------------7|
    /// rateLimit(1, per: 3)             -1--2--3--4--5--6---7|
    /// rateLimit(1, per: 3, burst: 3)   -1234--5--6---------7|
    /// ```
    ///
    /// A token bucket: it holds `burst` tokens, is full at first, and gains `count` in each `duration`, evenly. A value
    /// takes one, or waits for the next. So after a pause up to `burst` values go without waiting.
    ///
    /// To drop excess values instead of letting them wait, give `limit: 0` and `overflow: .dropNewest`. A count below
    /// one counts as one. With a duration of zero or less nothing waits; with one beyond the clock's range nothing
    /// comes after the first burst.
    ///
    /// A source that can pause is paused when `limit` values wait, until half of them have gone. While the observer
    /// pauses, values wait for that, too, and the bucket fills. With `limit: 0` the source is paused while the observer
    /// pauses.
    ///
    /// - Ends: with the source, after the waiting values. When the source is dropped, they still come.
    /// - Fails: with the source, after the waiting values; and as `overflow` says.
    /// - Cancelling: ends the source's subscription and drops the waiting values.
    /// - Buffers: at most `limit` values; then as `overflow` says.
    /// - Thread: a value that need not wait comes on the source's, the others on the scheduler's.
    ///
    /// - Parameters:
    ///   - count: how many values may go in each `duration`.
    ///   - duration: see `count`.
    ///   - burst: how many values may go at once after a pause; `count` by default, at least one.
    ///   - limit: how many values may wait.
    ///   - overflow: what happens when so many wait. By default the source is paused, and values that it
    ///     sends all the same are lost and counted.
    ///   - scheduler: measures the time and delivers the values that waited.
    @inlinable
    public consuming func rateLimit(
        _ count: Int,
        per duration: Duration,
        burst: Int? = nil,
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        PacedSignal(
            upstream: self,
            pace: TokenBucket(
                count: count,
                per: duration.saturatedNanoseconds,
                capacity: burst ?? count,
                name: "rateLimit(\(count), per: \(duration))"
            ),
            limit: limit,
            overflow: overflow,
            holdsFailures: true,
            scheduler: scheduler
        )
    }
}
