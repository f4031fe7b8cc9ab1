public import Bus

extension Signal {
    /// Every `period`, the latest value, if there was one since the last time.
    ///
    /// ```
    /// self              --1-2-----3-----------4|
    /// sample(every: 5)  -----2----3------------(4|)
    /// ```
    ///
    /// The ticks lie whole periods behind the moment of subscribing; a value that comes at one is in time for it. A
    /// period without a value is silent and wakes nobody. A tick that a busy scheduler misses is made up for with the
    /// value it would have had, at the latest before the next value. A period below 16,384 ns is taken as that; one
    /// beyond the clock's line has no tick.
    ///
    /// While the observer has no room, the latest value waits and is sent as soon as there is. The source is not paused.
    ///
    /// (RxSwift's reading: nothing is repeated. ReactiveCocoa's and ReactiveSwift's sampling repeats the value at every
    /// tick.)
    ///
    /// - Ends: with the source; a value not yet sampled is sent before, or as `atCompletion` says. When the source is
    ///   dropped, what is held still comes at its tick.
    /// - Fails: with the source, at once; what is held is dropped.
    /// - Cancelling: ends the source's subscription and drops what is held.
    /// - Buffers: one value. Those that were not the latest are no loss and are not counted.
    /// - Thread: the scheduler's; the end and what is flushed come on the source's, and a value that waited for room on the
    ///   thread that made it.
    ///
    /// - Parameters:
    ///   - period: the time from one tick to the next.
    ///   - atCompletion: what becomes of the value that is held when the source completes.
    ///   - scheduler: whose clock counts, and where the values are delivered.
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
