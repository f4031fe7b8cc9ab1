public import Bus

extension Signals {
    /// Does something at each of a calendar's times, and tells what became of it. Cold: each subscription runs the job.
    ///
    /// ```
    /// job("report", at: 2:30)   ---started---succeeded-----------started---failed--started---succeeded---
    ///                              02:30                          02:30            attempt 2
    /// ```
    ///
    /// Before a run begins, `store` has a record of it. So a run happens at most once for each of the calendar's times,
    /// also when the program crashes: the next start finds the run in the record, and `policy` says whether it runs
    /// again. Times that passed while the program did not run are found in the same way. With a `lease`, one of several
    /// instances of the program runs the job. See <doc:Jobs>.
    ///
    /// A time never runs early on the wall clock. If the clock is set back by less than three hours, times that are
    /// done do not come again, as with cron; a clock that is set back further was wrong before, and times come again.
    ///
    /// - Ends: after the calendar's last time, when its run has ended.
    /// - Fails: never. Failures of runs, the store and the lease are values.
    /// - Cancelling: runs are cancelled; no run begins any more. The runs' ends are written, and the lease is released,
    ///   behind it, for as long as ``JobPolicy/cancellationGrace``. To hear and await them, let `until` end the job.
    /// - Buffers: at most 1,024 events while the observer pauses. Runs do not wait for the observer.
    /// - Thread: one of Swift's pool or of the schedulers.
    ///
    /// - Parameters:
    ///   - name: names the job in the store and to the lease.
    ///   - calendar: the times.
    ///   - policy: what becomes of missed times, of overlapping, failed and interrupted runs.
    ///   - jitter: how long after the calendar's times the runs begin.
    ///   - store: keeps what is known of the job.
    ///   - lease: chooses one of several instances; nil if there is one.
    ///   - stop: its first value, or its end, ends the job: runs are cancelled, and the signal completes when they have
    ///     returned or ``JobPolicy/cancellationGrace`` is over. If there is none, the job goes on.
    ///   - scheduler: its wall clock is that of the calendar.
    ///   - timer: measures limits and waits. Its clock should go on while the machine is suspended.
    ///   - executor: where `work` and the calls of store and lease run; nil for Swift's pool.
    ///   - work: does the job. It is cancelled as a task; it has ended when it returns.
    public static func job(
        _ name: String,
        at calendar: CalendarSchedule,
        policy: JobPolicy = JobPolicy(),
        jitter: Jitter = .none,
        store: any JobStore,
        lease: (any JobLease)? = nil,
        until stop: AnySignal<Void, Never>? = nil,
        on scheduler: some WallTimedScheduler = WallScheduler.shared,
        timer: some TimedScheduler = TimerScheduler.sharedBoot,
        executor: (any TaskExecutor)? = nil,
        _ work: @escaping @Sendable (JobRun) async throws -> Void
    ) -> some Signal<JobEvent, Never> {
        JobSignal(
            job: Job(
                plan: JobPlan(
                    name: name,
                    times: JobTimes(calendar, jitter: jitter),
                    policy: policy,
                    timeToLive: lease?.timeToLive
                ),
                store: store,
                lease: lease,
                wall: scheduler,
                boot: timer,
                executor: executor,
                work: work
            ),
            stop: stop,
            changes: nil
        )
    }
}

/// What a job is made of.
struct Job<Wall: WallTimedScheduler, Boot: TimedScheduler>: Sendable {
    let plan: JobPlan
    let store: any JobStore
    let lease: (any JobLease)?
    let wall: Wall
    let boot: Boot
    let executor: (any TaskExecutor)?
    let work: @Sendable (JobRun) async throws -> Void

    /// The lease, or the store of a job without one: a job asks it first.
    var firstAsked: AnyObject { lease ?? store }

    func stored<Answer: Sendable>(
        _ ask: (any JobStore) async throws -> Answer
    ) async -> Result<Answer, JobFault> {
        do {
            return .success(try await ask(store))
        } catch {
            return .failure(JobFault("\(error)"))
        }
    }

    func leased<Answer: Sendable>(
        _ ask: (any JobLease) async throws -> Answer
    ) async -> Result<Answer, JobFault> {
        guard let lease else { return .failure(JobFault("there is no lease")) }
        do {
            return .success(try await ask(lease))
        } catch {
            return .failure(JobFault("\(error)"))
        }
    }
}

struct JobSignal<Wall: WallTimedScheduler, Boot: TimedScheduler>: Signal {
    typealias Value = JobEvent
    typealias Failure = Never
    let job: Job<Wall, Boot>
    let stop: AnySignal<Void, Never>?
    /// Says that the record was written by this program, but not by the subscription.
    let changes: AnySignal<Void, Never>?

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == JobEvent, Downstream.Failure == Never {
        let output = SerialObserver(observer)
        JobSubscription(output, job).start(until: stop, changes)
        return output.handle
    }

    var chain: Chain {
        let plan = job.plan
        return Chain(
            source: plan.times.map { "job(\(plan.name), at: \($0.schedule))" } ?? "oneShots(\(plan.name)).job"
        )
    }
}
