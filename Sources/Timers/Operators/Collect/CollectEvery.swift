public import Bus

extension Signal {
    /// The values in batches. A batch is sent when `duration` has passed since its first value, or when it has
    /// `limit` values.
    ///
    /// ```
    /// self                         --1-2-----3-------4567---|
    /// collect(every: 5, limit: 3)  -------'12'----3----'456'(7|)
    /// ```
    ///
    /// The clock starts with a batch's first value, so no batch is empty and a silent source causes no wake-ups. A
    /// value that comes when the batch's time is over belongs to the next, however late the scheduler is. With a
    /// duration of zero or less a batch is sent as soon as the scheduler can run it; with one beyond the clock's
    /// range, when it is full.
    ///
    /// While the observer pauses, the batch goes on growing, also beyond its time, until it is full; then the source is
    /// paused.
    ///
    /// (As in ReactiveCocoa; RxSwift's `buffer` counts from subscribing and sends empty batches, too.)
    ///
    /// - Ends: with the source; the collected values are sent before. When the source is dropped, they still come at
    ///   their time.
    /// - Fails: with the source, at once; the collected values are dropped.
    /// - Cancelling: ends the source's subscription and drops the collected values.
    /// - Buffers: fewer than `limit` values. While the observer pauses, `limit` values, and at most 1,024 more
    ///   from a source that goes on; values beyond them are lost and counted.
    /// - Thread: a batch whose time is over comes on the scheduler's, a full one and the last one on the source's,
    ///   and one that waited during a pause, on the thread that ended the pause.
    ///
    /// - Parameters:
    ///   - duration: how long a batch may wait, from its first value.
    ///   - limit: how many values make a batch full; at least one.
    ///   - scheduler: measures the time and delivers the batches.
    @inlinable
    @inline(__always)
    public consuming func collect(
        every duration: Duration,
        limit: Int = 1024,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<[Value], Failure> {
        HoldingSignal(
            upstream: self,
            state: CollectStep(interval: duration.saturatedNanoseconds, limit: limit),
            scheduler: scheduler
        )
    }
}

/// The state of a `collect(every:limit:)`.
@frozen
@usableFromInline
struct CollectStep<Value: Sendable>: HoldingState {
    @usableFromInline let interval: Int64
    @usableFromInline let limit: Int
    @usableFromInline var batch: [Value] = []
    @usableFromInline var deadline = Int64.max

    @inlinable
    init(interval: Int64, limit: Int) {
        self.interval = interval
        self.limit = max(1, limit)
    }

    @inlinable
    var atCompletion: AtCompletion { .flush }

    @inlinable
    var isHolding: Bool { !batch.isEmpty }

    @inlinable
    mutating func next(_ value: Value, at now: Int64) -> [Value]? {
        let overdue = deadline <= now ? flush() : nil
        if batch.isEmpty { deadline = now.later(by: interval) }
        batch.append(value)
        // If the observer took an overdue batch, it is ready for the new one, too: there are never two batches to send.
        return batch.count < limit ? overdue : flush()
    }

    @inlinable
    var isFull: Bool { batch.count >= limit }

    /// A batch that waits for the observer goes on growing until it is full.
    @usableFromInline
    mutating func hold(_ value: Value, at now: Int64) {
        if batch.isEmpty { deadline = now.later(by: interval) }
        batch.append(value)
        if isFull { deadline = min(deadline, now) }
    }

    @inlinable
    mutating func due(at now: Int64) -> [Value]? { flush() }

    @inlinable
    mutating func flush() -> [Value]? {
        guard !batch.isEmpty else { return nil }
        deadline = .max
        var full: [Value] = []
        swap(&full, &batch)
        return full
    }

    @usableFromInline static var name: String { "collect(every:limit:)" }
    @usableFromInline var name: String { "collect(every: \(Duration.nanoseconds(interval)), limit: \(limit))" }
}
