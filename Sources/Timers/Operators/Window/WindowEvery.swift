public import Bus

extension Signal {
    /// The values in windows: every `period` a signal that carries the values until the next.
    ///
    /// ```
    /// self              --1--2-----3----|
    /// window(every: 5)  a----b----c----d|
    /// a                 --1--|
    /// b                      2----|      2 came when a's time was over
    /// c                           -3---|
    /// d                                |
    /// ```
    ///
    /// The first window opens on subscribing, the others a whole number of periods after it, empty ones included. A
    /// value that comes when a window's time is over belongs to the next, however late the scheduler is; windows that
    /// a stopped process or a busy scheduler has slept through are left out. A window is hot: a subscriber that comes
    /// later than in the callback that hands the window out has missed earlier values. A period below 16,384 ns is
    /// taken as 16,384 ns; one beyond the clock's range makes one window of all values.
    ///
    /// While the observer pauses, no further window opens: the open one stays open, and before the first window the
    /// source is paused. The source is paused, too, while a subscriber of the open window pauses.
    ///
    /// Values that were lost are reported in the open window, and before the first to the observer of the windows.
    ///
    /// (As in RxSwift. For batches that start with a value, see ``collect(every:limit:on:)``.)
    ///
    /// - Ends: with the source; the open window completes before.
    /// - Fails: with the source, after the open window has.
    /// - Cancelling: ends the source's subscription; the open window sends nothing more. A dropped source has the
    ///   same effect.
    /// - Buffers: nothing; while a subscriber of the open window pauses, or the observer before the first, at most 1,024
    ///   values wait.
    /// - Thread: values come on the source's, windows on the scheduler's, unless the source sends again before a late
    ///   scheduler runs; the first comes on the subscribing thread.
    ///
    /// - Parameters:
    ///   - period: the time from one window's beginning to the next.
    ///   - scheduler: measures the time and delivers the windows.
    @inlinable
    @inline(__always)
    public consuming func window(
        every period: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<AnySignal<Value, Failure>, Failure> {
        WindowSignal(upstream: self, period: period, scheduler: scheduler)
    }
}

@frozen
@usableFromInline
struct WindowSignal<Upstream: Signal, Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = AnySignal<Upstream.Value, Upstream.Failure>
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let period: Duration
    @usableFromInline let scheduler: Time

    @inlinable
    init(upstream: Upstream, period: Duration, scheduler: Time) {
        self.upstream = upstream
        self.period = period
        self.scheduler = scheduler
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let grid = TickGrid(origin: scheduler.now.nanoseconds, period: period.saturatedNanoseconds)
        let output = SerialObserver(WindowStage<Upstream.Value, Downstream>(observer, grid: grid))
        let subscription = WindowSubscription(output, scheduler)
        let input = WindowInput(subscription)
        subscription.advance()
        if !output.isClosing {
            output.resources.add(upstream.subscribe(input))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("window(every:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("window(every: \(period))") }
}

/// Hears the source.
@frozen
@usableFromInline
struct WindowInput<Value: Sendable, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable
where Downstream.Value == AnySignal<Value, Downstream.Failure> {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let dropGuard: DropGuard<WindowSubscription<Value, Downstream, Time>>
    @usableFromInline let output: SerialObserver<WindowStage<Value, Downstream>>
    @usableFromInline let scheduler: Time

    @inlinable
    init(_ subscription: WindowSubscription<Value, Downstream, Time>) {
        dropGuard = DropGuard(subscription)
        output = subscription.output
        scheduler = subscription.scheduler
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        // The time when it came, also when it has to wait for the right to deliver.
        let now = scheduler.now.nanoseconds
        return output.send(
            { stage in stage.next(value, at: now, in: output) },
            orLater: { [output] in { stage in stage.next(value, at: now, in: output) } }
        )
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        output.perform { stage, _ in stage?.close(termination) }
        output.terminate(termination)
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
