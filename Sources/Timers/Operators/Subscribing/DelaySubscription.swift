public import Bus

extension Signal {
    /// This signal, subscribed to later.
    ///
    /// ```
    /// self                  1--2--3|
    /// delaySubscription(4)  ----1--2--3|
    /// ```
    ///
    /// Values that a hot source sends until then are missed. With a duration of zero or less the subscription is made
    /// as soon as the scheduler can run it; with one beyond the clock's range never.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: cancels the timer, or ends the source's subscription.
    /// - Thread: the source is subscribed to on the scheduler's and sends on its own.
    ///
    /// - Parameters:
    ///   - duration: how long after subscribing the source is subscribed to.
    ///   - scheduler: measures the time and subscribes to the source.
    @inlinable
    public consuming func delaySubscription(
        _ duration: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        DelaySubscriptionSignal(upstream: self, duration: duration, scheduler: scheduler)
    }
}

@frozen
@usableFromInline
struct DelaySubscriptionSignal<Upstream: Signal, Time: TimedScheduler>: Signal {
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
        let output = SerialObserver(observer)
        let sender = Sender(output)
        let timer = SerialTimer()
        output.resources.add(timer)
        timer.schedule(at: scheduler.now.advanced(by: duration), on: scheduler) { [upstream] in
            output.resources.add(upstream.subscribe(RelayObserver(output, sender)))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("delaySubscription") }
    @usableFromInline var chain: Chain { upstream.chain.appending("delaySubscription(\(duration))") }
}
