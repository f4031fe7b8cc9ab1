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
    /// While the observer pauses, the latest value waits and is sent as soon as it is ready. The source is not paused.
    ///
    /// (As in RxSwift: nothing is repeated. ReactiveCocoa's and ReactiveSwift's sampling repeats the value at every
    /// tick.)
    ///
    /// - Ends: with the source; a value not yet sampled is sent before, or as `atCompletion` says. When the source is
    ///   dropped, the held value still comes at its tick.
    /// - Fails: with the source, at once; the held value is dropped.
    /// - Cancelling: ends the source's subscription and drops the held value.
    /// - Buffers: one value. Values that were not the latest are no loss and are not counted.
    /// - Thread: the scheduler's; the end and a flushed value come on the source's, and a value that waited during a pause,
    ///   on the thread that ended the pause.
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
            state: Sampling(period: period.saturatedNanoseconds, atCompletion: atCompletion),
            scheduler: scheduler
        )
    }
}

/// The state of a `sample(every:)`.
@frozen
@usableFromInline
struct Sampling<Value: Sendable>: HoldingState {
    @usableFromInline let period: Int64
    @usableFromInline let atCompletion: AtCompletion
    @usableFromInline var grid: TickGrid
    @usableFromInline var held: Value?
    @usableFromInline var deadline = Int64.max
    /// The latest tick at which a value was sent, so that no two values are sent at one tick.
    @usableFromInline var last = Int64.min

    @inlinable
    init(period: Int64, atCompletion: AtCompletion) {
        self.period = period
        self.atCompletion = atCompletion
        grid = TickGrid(origin: 0, period: period)
    }

    @usableFromInline
    mutating func start(at now: Int64) { grid = TickGrid(origin: now, period: period) }

    @inlinable
    var isHolding: Bool { held != nil }

    @inlinable
    mutating func next(_ value: Value, at now: Int64) -> Value? {
        // A value that comes at the very instant of a tick is in time for it.
        let overdue = deadline < now ? due(at: now) : nil
        hold(value, at: now)
        return overdue
    }

    /// A value whose tick has come and that waits for the observer is no longer the latest value.
    @inlinable
    mutating func hold(_ value: Value, at now: Int64) {
        if held == nil { deadline = grid.tick(notBefore: max(now, last.later(by: 1))) }
        held = value
    }

    @usableFromInline
    mutating func due(at now: Int64) -> Value? {
        last = deadline
        return flush()
    }

    @usableFromInline
    mutating func flush() -> Value? {
        deadline = .max
        return held.take()
    }

    @usableFromInline static var name: String { "sample(every:)" }
    @usableFromInline var name: String { "sample(every: \(Duration.nanoseconds(period)))" }
}
