public import Bus

extension Signal {
    /// The last value of each burst. A burst is over when the source has been silent for `duration`.
    ///
    /// ```
    /// self                        --1-2-3---------4--5-|
    /// debounce(4)                 ----------3----------(5|)
    /// debounce(4, edge: .leading) --1-------------4----|
    ///
    /// self                        --1-2-3-4-5-6-7-----|
    /// debounce(4, maxWait: 6)     --------3-----6---7-|
    /// ```
    ///
    /// With `edge: .leading` it is the first value instead, at once; nothing is held then. `maxWait` limits how long a
    /// burst may hold its value back, counted from the burst's first value; the next value then begins another burst.
    ///
    /// Which values pass depends only on when they came: if a scheduler is late and the source sends again before it
    /// runs, the value whose time had come is sent first. A value costs a reading of the clock, and no timer is
    /// touched while one is set: when it fires, it checks how long ago the last value was. With a duration of zero or
    /// less every value passes, as soon as the scheduler can run it; with one beyond the clock's range only the
    /// completion lets one pass.
    ///
    /// While the observer pauses, a value whose time has come waits, and the value of a later burst replaces it.
    /// The source is not paused.
    ///
    /// (ReactiveCocoa called this `throttle`. At completion ReactiveCocoa, RxSwift and AsyncAlgorithms flush;
    /// ReactiveSwift and Combine drop.)
    ///
    /// - Ends: with the source; the held value is sent before, or dropped, as `atCompletion` says. When the source is
    ///   dropped, the held value still comes at its time.
    /// - Fails: with the source, at once; the held value is dropped.
    /// - Cancelling: ends the source's subscription and drops the held value.
    /// - Buffers: one value. A value that a later one replaces is no loss and is not counted.
    /// - Thread: the scheduler's. The leading edge, a flushed value, an overdue value and the end come on the
    ///   source's, and a value that waited during a pause, on the thread that ended the pause.
    ///
    /// - Parameters:
    ///   - duration: how long the source must keep silent.
    ///   - edge: which value of a burst passes.
    ///   - maxWait: how long a burst may go on before it counts as over; nil for no limit.
    ///   - atCompletion: what happens to the held value when the source completes.
    ///   - scheduler: measures the time and delivers the values.
    @inlinable
    @inline(__always)
    public consuming func debounce(
        _ duration: Duration,
        edge: DebounceEdge = .trailing,
        maxWait: Duration? = nil,
        atCompletion: AtCompletion = .flush,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        HoldingSignal(
            upstream: self,
            state: Debouncing(
                interval: duration.saturatedNanoseconds,
                edge: edge,
                maxWait: maxWait?.saturatedNanoseconds ?? .max,
                atCompletion: atCompletion
            ),
            scheduler: scheduler
        )
    }
}

/// Which value of a burst passes a debounce.
public enum DebounceEdge: Sendable, Hashable {
    /// The last one, when the burst is over.
    case trailing
    /// The first one, at once.
    case leading
}
