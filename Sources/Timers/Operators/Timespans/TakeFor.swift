public import Bus

extension Signal {
    /// The values that come within `duration` of subscribing, then completion.
    ///
    /// ```
    /// self          --1--2-----3--
    /// take(for: 7)  --1--2-|
    /// ```
    ///
    /// Which values pass depends on when they came, however late the scheduler is: a value at the very end of the
    /// time does not. Dropping the source does not change the end, because the timer keeps the chain until then. With
    /// a duration of zero or less the source is never subscribed to; with one beyond the clock's range everything
    /// passes.
    ///
    /// - Ends: when the time is over, once the source is released; otherwise with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription and cancels the timer.
    /// - Buffers: nothing; while one thread delivers, or while the observer pauses, at most 1,024 values wait. They come
    ///   before the completion.
    /// - Thread: the source's; the completion may come on the scheduler's.
    ///
    /// - Parameters:
    ///   - duration: how long to take, from subscribing on.
    ///   - scheduler: measures the time and delivers the completion.
    @inlinable
    public consuming func take(
        for duration: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        TakeForSignal(upstream: self, duration: duration, scheduler: scheduler)
    }
}

@frozen
@usableFromInline
struct TakeForSignal<Upstream: Signal, Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let duration: Duration
    @usableFromInline let scheduler: Time

    @inlinable
    init(upstream: Upstream, duration: Duration, scheduler: Time) {
        self.upstream = upstream
        self.duration = duration
        self.scheduler = scheduler
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard duration > .zero else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let output = SerialObserver(observer)
        let end = scheduler.now.advanced(by: duration)
        let (timer, source) = (SerialTimer(), SerialDisposable())
        output.resources.add(timer)
        output.resources.add(source)
        timer.schedule(at: end, on: scheduler) {
            source.dispose()
            // After the values that came in time and wait in the queue.
            output.terminate(.completed)
        }
        source.set(upstream.subscribe(TakeForObserver(output, until: end, scheduler)))
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("take(for:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("take(for: \(duration))") }
}

@frozen
@usableFromInline
struct TakeForObserver<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let end: TimerInstant
    @usableFromInline let scheduler: Time

    @inlinable
    init(_ output: SerialObserver<Downstream>, until end: TimerInstant, _ scheduler: Time) {
        self.output = output
        self.end = end
        self.scheduler = scheduler
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        // No value passes from here on; the completion follows when the source has released its resources.
        scheduler.now < end ? output.next(value) : .stop
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { output.terminate(termination) }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
