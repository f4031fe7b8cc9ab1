public import Bus
import Synchronization

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

    /// Makes an attempt; not before the previous one has returned from subscribing, and not before there is room.
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
