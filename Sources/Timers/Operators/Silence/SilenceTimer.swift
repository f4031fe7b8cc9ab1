public import Bus
public import Synchronization

/// The engine of `timeout` and `watchdog`: when the source was last heard, and the one timer that checks it.
///
/// A value stores the time and touches no timer. When the timer fires, it compares the time of the last value with the
/// clock, and is set again for the rest of the wait.
///
/// The timer keeps this object: a source that is gone is silent, too.
@usableFromInline
final class SilenceTimer<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    /// The wait that is measured; a watchdog measures `between`.
    @usableFromInline let mode: TimeoutMode
    /// When the wait began: nanoseconds on the scheduler's clock. Written by the source's thread at each value and by
    /// the thread that ends the pause, read by the timer.
    @usableFromInline let heard: Atomic<Int64>
    /// The observer pauses, so silence does not count until the output calls back.
    private let isPaused = Atomic<Bool>(false)
    private let duration: Int64
    private let timer = SerialTimer()
    private let response: Response

    /// What follows when the wait was too long.
    private enum Response: Sendable {
        case fail(@Sendable () -> Downstream.Failure)
        case report(Lock<SilenceReports>, @Sendable (Silence) -> Downstream.Value?)
    }

    /// Fails after a wait of more than `duration` nanoseconds.
    @usableFromInline
    init(
        _ output: SerialObserver<Downstream>,
        failingAfter duration: Int64,
        _ mode: TimeoutMode,
        _ scheduler: Time,
        _ error: @escaping @Sendable () -> Downstream.Failure
    ) {
        self.output = output
        self.scheduler = scheduler
        self.mode = mode
        self.duration = duration
        heard = Atomic(scheduler.now.nanoseconds)
        response = .fail(error)
    }

    /// Sends a value whenever another `duration` nanoseconds of silence have passed.
    @usableFromInline
    init(
        _ output: SerialObserver<Downstream>,
        reportingEvery duration: Int64,
        _ scheduler: Time,
        _ makeValue: @escaping @Sendable (Silence) -> Downstream.Value?
    ) {
        self.output = output
        self.scheduler = scheduler
        mode = .between
        let now = scheduler.now.nanoseconds
        let reports = SilenceReports(interval: duration, heard: now)
        self.duration = reports.interval
        heard = Atomic(now)
        response = .report(Lock(reports), makeValue)
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func start() {
        output.resources.add(timer)
        waitAgain()
        if output.demand == .pause { pause() }
    }

    /// There is nothing left to wait for.
    @usableFromInline
    func end() { timer.dispose() }

    /// The wait begins with the last value, or with the end of the last pause.
    private func waitAgain() {
        schedule(at: heard.load(ordering: .relaxed).later(by: duration))
    }

    private func schedule(at deadline: Int64) {
        timer.schedule(at: TimerInstant(nanoseconds: deadline), on: scheduler) { self.fire() }
    }

    private func fire() {
        // The total time counts also while values wait for the observer, and its end does not queue up behind them.
        if mode == .total { return check() }
        if output.demand == .pause { pause() }
        // Decided with the right to deliver: a value that is being delivered is heard first.
        output.perform { _, _ in
            // Values that were delivered meanwhile may have filled the observer.
            if self.output.demand == .pause { self.pause() }
            // The end of the pause sets the timer.
            if self.isPaused.load(ordering: .acquiring) { return }
            self.check()
        }
    }

    private func check() {
        let now = scheduler.now.nanoseconds
        let heard = heard.load(ordering: .relaxed)
        // The first value has come, also while the clock was read, or the subscription is disposed of.
        if timer.isDisposed { return }
        switch response {
        case .fail(let error):
            // A value came meanwhile, or a pause has ended.
            if heard.later(by: duration) > now { return waitAgain() }
            // Before all that waits, such as the source's own end, which has come too late.
            output.terminateNext(.failed(error()))
        case .report(let reports, let makeValue):
            guard !output.isClosing else { return }
            let (silence, next) = reports.withLock { ($0.check(heard: heard, at: now), $0.deadline) }
            // It is delivered in the same way as a value, and its answer has the same effects.
            if let silence, let value = makeValue(silence) {
                _ = output.next(value)
                // Its turn comes after this.
                output.perform { _, _ in if self.output.demand == .pause { self.pause() } }
            }
            schedule(at: next)
        }
    }

    /// The source is told to send nothing for now, and its silence does not count.
    @usableFromInline
    func pause() {
        guard mode != .total, !timer.isDisposed else { return }
        guard !isPaused.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if output.whenReady({ self.resume() }) == .more { resume() }
    }

    private func resume() {
        heard.store(scheduler.now.nanoseconds, ordering: .relaxed)
        isPaused.store(false, ordering: .releasing)
        waitAgain()
    }
}
