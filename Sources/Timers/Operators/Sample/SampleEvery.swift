public import Bus

extension Signal {
    /// Every `period`, the latest value, if there was one since the last time.
    ///
    /// ```
    /// self              --1-2-----3-----------4|
    /// sample(every: 5)  -----2----3------------(4|)
    /// ```
    ///
    /// The ticks lie a whole number of periods after the moment of subscribing; a value that comes exactly at a tick
    /// is in time for it. A period without a value is silent and causes no wake-up. If a busy scheduler misses a
    /// tick, the value it would have had is still sent, at the latest before the next value. A period below 16,384 ns
    /// is taken as 16,384 ns; one beyond the clock's range has no tick.
    ///
    /// While the observer has no room, the latest value waits and is sent as soon as there is. The source is not paused.
    ///
    /// (As in RxSwift: nothing is repeated. ReactiveCocoa's and ReactiveSwift's sampling repeats the value at every
    /// tick.)
    ///
    /// - Ends: with the source; a value not yet sampled is sent before, or as `atCompletion` says. When the source is
    ///   dropped, the held value still comes at its tick.
    /// - Fails: with the source, at once; the held value is dropped.
    /// - Cancelling: ends the source's subscription and drops the held value.
    /// - Buffers: one value. Values that were not the latest are no loss and are not counted.
    /// - Thread: the scheduler's; the end and a flushed value come on the source's, and a value that waited for room
    ///   on the thread that made the room.
    ///
    /// - Parameters:
    ///   - period: the time from one tick to the next.
    ///   - atCompletion: what happens to the held value when the source completes.
    ///   - scheduler: measures the time and delivers the values.
    @inlinable
    @inline(__always)
    public consuming func sample(
        every period: Duration,
        atCompletion: AtCompletion = .flush,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        HoldingSignal(
            upstream: self,
            step: Sampling(period: period.saturatedNanoseconds, atCompletion: atCompletion),
            scheduler: scheduler
        )
    }
}
