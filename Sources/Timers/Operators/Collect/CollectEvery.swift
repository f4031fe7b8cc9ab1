public import Bus

extension Signal {
    /// The values in batches: one is sent when `duration` has passed since its first value, or when it has `limit` of
    /// them.
    ///
    /// ```
    /// self                      --1-2-----3-------4567---|
    /// collect(every: 5, or: 3)  -------'12'----3----'456'(7|)
    /// ```
    ///
    /// The clock starts with a batch's first value, so no batch is empty and a silent source wakes nobody. A value that
    /// comes when the batch's time is over belongs to the next, however late the scheduler is. With a duration of zero
    /// or less a batch is sent as soon as the scheduler comes to it; with one beyond the clock's line, when it is full.
    ///
    /// While the observer has no room, the batch goes on growing, also beyond its time, until it is full; then the source is
    /// paused.
    ///
    /// (ReactiveCocoa's reading; RxSwift's `buffer` counts from subscribing and sends empty batches, too.)
    ///
    /// - Ends: with the source; what was collected is sent before. When the source is dropped, it still comes at its
    ///   time.
    /// - Fails: with the source, at once; what was collected is dropped.
    /// - Cancelling: ends the source's subscription and drops what was collected.
    /// - Buffers: fewer than `limit` values. While the observer has no room, `limit` values, and at most 1,024 more from a
    ///   source that goes on; what that sends beyond them is lost and counted.
    /// - Thread: a batch whose time is over comes on the scheduler's, a full one and the last one on the source's, and one
    ///   that waited for room on the thread that made it.
    ///
    /// - Parameters:
    ///   - duration: how long a batch may wait, from its first value.
    ///   - limit: how many values make a batch full; at least one.
    ///   - scheduler: whose clock counts, and where batches are delivered.
    @inlinable
    @inline(__always)
    public consuming func collect(
        every duration: Duration,
        or limit: Int = 1024,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<[Value], Failure> {
        HoldingSignal(
            upstream: self,
            step: CollectStep(interval: duration.saturatedNanoseconds, limit: limit),
            scheduler: scheduler
        )
    }
}
