public import Bus

extension Signal {
    /// This signal, failing when it is silent for too long.
    ///
    /// ```
    /// self                    --1---2-----------3--
    /// timeout(5, .between)    --1---2----x
    /// timeout(5, .first)      --1---2-----------3--
    /// timeout(5, .total)      --1--x
    /// ```
    ///
    /// A source that is dropped without an end is silent, too: the timer holds the chain until the wait is over. Time
    /// that the observer takes to handle a value counts. A duration of zero or less fails as soon as the scheduler
    /// can run it; one beyond the clock's range never does.
    ///
    /// While the observer pauses, the source is paused and not waited for: the wait begins anew when the observer is ready.
    /// `.total` counts that time. A source that has ended is not waited for, also while its last values wait for the
    /// observer.
    ///
    /// A value costs a reading of the clock and no timer is touched: the subscription has one timer, and when it
    /// fires, it checks how long ago the last value was. So a value that comes late, but before a late scheduler has
    /// checked, is in time.
    ///
    /// (RxSwift's and Combine's reading by default; ReactiveCocoa and ReactiveSwift mean `.total`.)
    ///
    /// - Ends: with the source.
    /// - Fails: with `error` when the wait has been too long, once the source is released; otherwise with the source.
    /// - Cancelling: ends the source's subscription and cancels the timer.
    /// - Buffers: nothing; while one thread delivers, or while the observer pauses, at most 1,024 values wait.
    /// - Thread: the source's; the timeout's failure comes on the scheduler's, unless a value is being delivered: then
    ///   it follows on that thread.
    ///
    /// - Parameters:
    ///   - duration: how long the wait may be.
    ///   - mode: which wait.
    ///   - error: the failure, made when it is needed.
    ///   - scheduler: measures the time and delivers the failure.
    @inlinable
    public consuming func timeout(
        _ duration: Duration,
        _ mode: TimeoutMode = .between,
        failing error: @autoclosure @escaping @Sendable () -> Failure,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, Failure> {
        TimeoutSignal(
            upstream: self,
            duration: duration,
            mode: mode,
            scheduler: scheduler,
            error: error,
            convert: { $0 }
        )
    }
}

extension Signal where Failure == Never {
    /// This signal, which does not fail by itself, failing when it is silent for too long. See
    /// ``timeout(_:_:failing:on:)->Signal<Self.Value,Self.Failure>``.
    @inlinable
    public consuming func timeout<NewFailure: Error>(
        _ duration: Duration,
        _ mode: TimeoutMode = .between,
        failing error: @autoclosure @escaping @Sendable () -> NewFailure,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Value, NewFailure> {
        TimeoutSignal(
            upstream: self,
            duration: duration,
            mode: mode,
            scheduler: scheduler,
            error: error,
            convert: { $0 }
        )
    }
}

@frozen
@usableFromInline
struct TimeoutSignal<Upstream: Signal, Failure: Error, Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline let upstream: Upstream
    @usableFromInline let duration: Duration
    @usableFromInline let mode: TimeoutMode
    @usableFromInline let scheduler: Time
    @usableFromInline let error: @Sendable () -> Failure
    @usableFromInline let convert: @Sendable (Upstream.Failure) -> Failure

    @inlinable
    init(
        upstream: Upstream,
        duration: Duration,
        mode: TimeoutMode,
        scheduler: Time,
        error: @escaping @Sendable () -> Failure,
        convert: @escaping @Sendable (Upstream.Failure) -> Failure
    ) {
        self.upstream = upstream
        self.duration = duration
        self.mode = mode
        self.scheduler = scheduler
        self.error = error
        self.convert = convert
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = SerialObserver(observer)
        let timer = SilenceTimer(output, failingAfter: duration.saturatedNanoseconds, mode, scheduler, error)
        timer.start()
        if !output.isClosing {
            output.resources.add(upstream.subscribe(SilenceObserver(timer, convert)))
        }
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("timeout") }
    @usableFromInline var chain: Chain { upstream.chain.appending(mode.name(duration)) }
}

/// The wait that a timeout limits. Only `total` counts time in which the source is paused.
public enum TimeoutMode: Sendable, Hashable {
    /// From subscribing to the first value; after that there is no limit.
    case first
    /// From subscribing to the first value, and from each value to the next or to the end.
    case between
    /// From subscribing to the end.
    case total
}

extension TimeoutMode {
    /// A timeout's name in a chain.
    @usableFromInline
    func name(_ duration: Duration, also more: String = "") -> String {
        "timeout(\(duration)\(self == .between ? "" : ", \(self)")\(more))"
    }
}
