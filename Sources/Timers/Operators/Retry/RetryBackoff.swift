public import Bus
import Synchronization

extension Signal {
    /// This signal, subscribed to anew after each failure, with growing waits.
    ///
    /// ```
    /// self              --1-x
    /// retry(backoff:)   --1---1------1--------------1--   waits of 1, 2, 4, ...; the failures are not heard
    /// ```
    ///
    /// (`retry(_:)` subscribes again at once, `retry(when:)` when another signal says so.)
    ///
    /// Waits are never shorter than configured, and grow as ``Backoff`` says; an attempt that went long enough
    /// without a failure resets them. A million consecutive failures need no more stack than one. No attempt is made
    /// while the observer pauses.
    ///
    /// - Ends: with the first attempt that completes.
    /// - Fails: with the failure after which there is no further attempt: the backoff's limit is reached, or
    ///   `shouldRetry` returns false.
    /// - Cancelling: ends the present attempt, or the wait for the next.
    /// - Buffers: nothing; keeps the source, to subscribe again: dropping a hot one is then not enough to free the chain.
    /// - Thread: the source's; further attempts are made on the scheduler's, unless the previous one has not yet
    ///   returned from subscribing, which then makes the next as well.
    ///
    /// - Parameters:
    ///   - backoff: how long to wait for each further attempt, and how many there are.
    ///   - scheduler: measures the time and makes the further attempts.
    ///   - shouldRetry: whether a failure is worth another attempt.
    @inlinable
    public consuming func retry(
        backoff: Backoff,
        on scheduler: some TimedScheduler = TimerScheduler.shared,
        if shouldRetry: @escaping @Sendable (Failure) -> Bool = { _ in true }
    ) -> some Signal<Value, Failure> {
        RetryBackoffSignal(upstream: self, backoff: backoff, scheduler: scheduler, shouldRetry: shouldRetry)
    }
}

@frozen
@usableFromInline
struct RetryBackoffSignal<Upstream: Signal, Time: TimedScheduler>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let backoff: Backoff
    @usableFromInline let scheduler: Time
    @usableFromInline let shouldRetry: @Sendable (Failure) -> Bool

    @inlinable
    init(
        upstream: Upstream,
        backoff: Backoff,
        scheduler: Time,
        shouldRetry: @escaping @Sendable (Failure) -> Bool
    ) {
        self.upstream = upstream
        self.backoff = backoff
        self.scheduler = scheduler
        self.shouldRetry = shouldRetry
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let retrying = RetrySubscription(
            SerialObserver(observer),
            upstream: upstream,
            backoff: backoff,
            scheduler: scheduler,
            shouldRetry: shouldRetry
        )
        retrying.attempt()
        return retrying.output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("retry(backoff:)") }
    @usableFromInline var chain: Chain { upstream.chain.appending("retry(backoff: \(backoff))") }
}

/// Hears one attempt.
@frozen
@usableFromInline
struct RetryObserver<Upstream: Signal, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable
where Upstream.Value == Downstream.Value, Upstream.Failure == Downstream.Failure {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let retrying: RetrySubscription<Upstream, Downstream, Time>
    // Beside `retrying`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<Downstream>

    @usableFromInline
    init(_ retrying: RetrySubscription<Upstream, Downstream, Time>) {
        self.retrying = retrying
        output = retrying.output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { retrying.terminate(termination) }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}

/// One subscription to a `retry(backoff:)`: makes the attempts, one after another.
@usableFromInline
final class RetrySubscription<Upstream: Signal, Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Upstream.Value == Downstream.Value, Upstream.Failure == Downstream.Failure {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let output: SerialObserver<Downstream>
    private let upstream: Upstream
    private let scheduler: Time
    private let shouldRetry: @Sendable (Failure) -> Bool
    private let waits: Lock<BackoffWaits>
    private let current = SerialDisposable()
    private let timer = SerialTimer()
    private let attempts = Trampoline()
    /// When the present attempt began.
    private let began = Atomic<Int64>(0)

    @usableFromInline
    init(
        _ output: SerialObserver<Downstream>,
        upstream: Upstream,
        backoff: Backoff,
        scheduler: Time,
        shouldRetry: @escaping @Sendable (Failure) -> Bool
    ) {
        self.output = output
        self.upstream = upstream
        self.scheduler = scheduler
        self.shouldRetry = shouldRetry
        waits = Lock(BackoffWaits(backoff))
        output.resources.add(current)
        output.resources.add(timer)
    }

    deinit {
        output.abandon()
    }

    /// Makes an attempt; not before the previous one has returned from subscribing, and not before the observer is ready.
    @usableFromInline
    func attempt() {
        attempts.run {
            var demand = output.demand
            if demand == .pause { demand = output.whenReady { self.schedule(at: self.scheduler.now) } }
            if demand == .pause { return }
            guard demand != .stop else { return output.terminate(.completed) }
            began.store(scheduler.now.nanoseconds, ordering: .relaxed)
            current.swap(upstream.subscribe(RetryObserver(self)))
        }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        guard case .failed(let failure) = termination, !output.isClosing, shouldRetry(failure) else {
            return output.terminate(termination)
        }
        let now = scheduler.now
        let began = TimerInstant(nanoseconds: began.load(ordering: .relaxed))
        guard let wait = waits.withLock({ $0.failed(after: began.duration(to: now)) }) else {
            return output.terminate(termination)
        }
        schedule(at: now.advanced(byNanoseconds: wait))
    }

    private func schedule(at instant: TimerInstant) {
        timer.schedule(at: instant, on: scheduler) { self.attempt() }
    }
}
