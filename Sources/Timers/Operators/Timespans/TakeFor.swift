public import Bus

extension Signal {
    /// The values that come within `duration` of subscribing, then completion.
    ///
    /// ```
    /// self          --1--2-----3--
    /// take(for: 7)  --1--2-|
    /// ```
    ///
    /// Which values pass depends on when they came, however late the scheduler is: one at the very end of the time does
    /// not. A dropped source makes no difference to the end, the timer keeps the chain until then. With a duration of
    /// zero or less the source is never subscribed to; with one beyond the clock's line everything passes.
    ///
    /// - Ends: when the time is over, once the source is released; else with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription and cancels the timer.
    /// - Buffers: nothing; while one thread delivers, or the observer has no room, at most 1,024 values wait. They come
    ///   before the completion.
    /// - Thread: the source's; the completion may come on the scheduler's.
    ///
    /// - Parameters:
    ///   - duration: for how long, from subscribing on.
    ///   - scheduler: whose clock counts, and where the completion is delivered.
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
            // Behind the values that came in time and wait in line.
            output.terminate(.completed)
        }
        source.set(upstream.subscribe(TakeForObserver(output, until: end, scheduler)))
        return output.handle
    }

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
        // No value passes from here on; the completion follows when the source has released what it held.
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
