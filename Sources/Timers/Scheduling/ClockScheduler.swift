public import Bus

/// Timers on a clock of yours: any clock that conforms to Swift's `Clock`, a test clock too.
///
/// Its instants count from the moment the scheduler was made. Timers lie in a wheel, and one task sleeps on the clock for
/// the next of them; it is replaced when an earlier one is scheduled, and with nothing scheduled there is none.
///
/// For the machine's own clocks ``TimerScheduler`` is the better choice: `ContinuousClock` is ``SystemClock/boot``,
/// `SuspendingClock` is ``SystemClock/monotonic``. Cancelled sleeps of Swift's clocks keep some 700 bytes until they
/// would have ended, and here each earlier timer that is scheduled leaves one such sleep.
///
/// Timers are exact to the nanosecond, as far as the clock's `sleep` is. They are freed with the scheduler: when the
/// last reference to it is dropped, timers that are still scheduled are released and never run. Handles are no such
/// references.
public final class ClockScheduler<Base: Clock>: TimedScheduler where Base.Duration == Duration {
    private let core: ClockSchedulerCore<Base>

    /// Timers of `clock` that run on `scheduler`.
    public init(_ clock: Base, on scheduler: some Scheduler = ThreadScheduler.shared) {
        core = ClockSchedulerCore(clock, scheduler)
    }

    deinit {
        core.close()
    }

    public var now: TimerInstant { TimerInstant(nanoseconds: core.now) }

    public func schedule(_ work: @escaping @Sendable () -> Void) { core.scheduler.schedule(work) }

    public var isCurrent: Bool { core.scheduler.isCurrent }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        TimerHandle(owner: core, token: core.schedule(at: deadline.nanoseconds, TimerWork(work)))
    }
}

/// The state that handles and the sleeping task of a ``ClockScheduler`` share, so that they do not hold it.
private final class ClockSchedulerCore<Base: Clock>: TimerOwner where Base.Duration == Duration {
    private struct State: ~Copyable {
        var wheel = TimerWheel<TimerWork>(startingAt: 0, resolutionBits: 0)
        /// The sleeping task, and its deadline. Also nil while due timers are being run.
        var sleeper: (task: Task<Void, Never>, deadline: Int64)?
        /// A runner was notified that timers are due, and has not yet found that there are none.
        var isRunning = false
        var isClosed = false
    }

    let scheduler: any Scheduler
    private let clock: Base
    private let origin: Base.Instant
    private let state = Lock(State())

    init(_ clock: Base, _ scheduler: any Scheduler) {
        self.clock = clock
        self.scheduler = scheduler
        origin = clock.now
    }

    var now: Int64 {
        // If it were rounded up, a reading would be ahead of the clock.
        let elapsed = origin.duration(to: clock.now)
        let nanoseconds = elapsed.saturatedNanoseconds
        return nanoseconds > .min && .nanoseconds(nanoseconds) > elapsed ? nanoseconds - 1 : nanoseconds
    }

    func schedule(at deadline: Int64, _ work: TimerWork) -> TimerToken {
        let (token, superfluous) = state.withLock { state in
            (state.wheel.schedule(at: deadline, work), wait(&state))
        }
        superfluous?.cancel()
        return token
    }

    func cancelTimer(_ token: TimerToken) {
        // The work is released here and not under the lock: its deinitialiser may run any code.
        let (work, superfluous) = state.withLock { state in
            let work = state.wheel.cancel(token)
            return (work, state.wheel.count == 0 ? state.sleeper.take()?.task : nil)
        }
        _ = consume work
        superfluous?.cancel()
    }

    func rescheduleTimer(_ token: TimerToken, to deadline: TimerInstant) -> Bool {
        let (isScheduled, superfluous) = state.withLock { state in
            (state.wheel.reschedule(token, to: deadline.nanoseconds), wait(&state))
        }
        superfluous?.cancel()
        return isScheduled
    }

    func close() {
        var wheel = TimerWheel<TimerWork>(startingAt: 0)
        let sleeper = state.withLock { state in
            state.isClosed = true
            swap(&state.wheel, &wheel)
            return state.sleeper.take()
        }
        sleeper?.task.cancel()
    }

    // MARK: Waiting

    /// Makes sure that a task sleeps no longer than until the next deadline.
    /// - Returns: the task that it replaces, to be cancelled after the lock.
    private func wait(_ state: inout sending State) -> Task<Void, Never>? {
        guard !state.isClosed, !state.isRunning, let next = state.wheel.nextDeadline, next < .max else { return nil }
        if let sleeper = state.sleeper, sleeper.deadline <= next { return nil }
        let previous = state.sleeper?.task
        // Before the origin everything is due; a foreign clock may not reach back that far.
        let (clock, instant) = (clock, origin.advanced(by: .nanoseconds(max(next, 0))))
        let task = Task.detached { [weak self] in
            do {
                try await clock.sleep(until: instant, tolerance: nil)
            } catch {
                // Cancelled: there is another sleeper, or nothing to wait for.
                if Task.isCancelled { return }
                // A clock that fails to sleep is asked again, but not without a pause.
                try? await Task.sleep(for: .milliseconds(100))
            }
            self?.woke(from: next)
        }
        state.sleeper = (task, next)
        return previous
    }

    private func woke(from deadline: Int64) {
        let isFirst = state.withLock { state in
            guard state.sleeper?.deadline == deadline, !state.isRunning else { return false }
            state.sleeper = nil
            state.isRunning = true
            return true
        }
        if isFirst { handOver() }
    }

    private func handOver() {
        scheduler.schedule { [weak self] in self?.runDue() }
    }

    private func runDue() {
        let time = now
        for _ in 0..<256 {
            let due = state.withLock { state -> TimerWork? in
                if state.wheel.isAhead(of: time) { state.wheel.rewind(to: time) }
                if let expired = state.wheel.popExpired(at: time) { return expired.payload }
                state.isRunning = false
                _ = wait(&state)
                return nil
            }
            guard let due else { return }
            due.run()
        }
        handOver()
    }
}
