public import Bus

/// Runs of a job at single times, each with an id. They outlive the program: the store keeps them until they have run.
///
/// ```
/// schedule("a", at: 3:00)      (stored)      started(a)---succeeded(a)
/// schedule("b", at: 4:00)      (stored)
/// schedule("b", at: 5:00)          (stored, replaces)                        started(b)---succeeded(b)
///                                            3:00            4:00            5:00
/// ```
///
/// ``job(policy:until:_:)`` runs them; the other methods change what the store has, also while nothing runs them. A
/// program with a ``JobLease`` may do both in every instance. Of changes that an instance makes, the others know after a
/// minute at the latest.
///
/// All of one name are in one record of the store, which is written as a whole for each change. Changes that are made
/// at the same time share a write.
///
/// ```swift
/// import Bus
/// import Timers
///
/// let reminders = OneShots("reminders", store: FileJobStore(in: "/var/lib/my-daemon"))
/// let running = reminders.job { run in print("remind of \(run.id ?? "")") }.subscribe(next: { print($0) })
/// try await reminders.schedule("invoice-7", after: .seconds(3 * 86_400))
/// try await reminders.schedule("invoice-8", at: CalendarSchedule("2027-01-04 09:00 Europe/Berlin"))
/// try await reminders.cancel("invoice-7")
/// print(try await reminders.list())
/// running.dispose()
/// ```
public final class OneShots: Sendable {
    /// The name of the job in the store and to the lease.
    public let name: String

    /// How many there may be at a time, those that run included.
    public static let maxCount = JobRecord.maxEntries
    /// How long an id may be, in bytes of UTF-8.
    public static let maxIDLength = 255

    private let store: any JobStore
    private let lease: (any JobLease)?
    private let wall: any WallTimedScheduler
    private let boot: any TimedScheduler
    private let executor: (any TaskExecutor)?
    private let writer: OneShotWriter

    /// - Parameters:
    ///   - name: names the job in the store and to the lease. No other job has it.
    ///   - store: keeps the one-shots.
    ///   - lease: chooses one of several instances to run them; nil if there is one.
    ///   - scheduler: its wall clock is that of the times.
    ///   - timer: measures limits and waits. Its clock should go on while the machine is suspended.
    ///   - executor: where runs and the calls of store and lease run; nil for Swift's pool.
    public init(
        _ name: String,
        store: any JobStore,
        lease: (any JobLease)? = nil,
        on scheduler: any WallTimedScheduler = WallScheduler.shared,
        timer: any TimedScheduler = TimerScheduler.sharedBoot,
        executor: (any TaskExecutor)? = nil
    ) {
        self.name = name
        self.store = store
        self.lease = lease
        wall = scheduler
        boot = timer
        self.executor = executor
        writer = OneShotWriter(name, store, executor) { scheduler.now }
    }

    // MARK: Running

    /// Runs what is scheduled, each at its time, and tells what became of it. Cold: each subscription runs the job, so
    /// there is one in a program.
    ///
    /// ```
    /// scheduled         a for 02:30                          b for 04:00     a for 05:00
    /// self.job { … }    -----02:30-------02:41---------------04:00---04:02----------------05:00---
    ///                        a started   a succeeded         b started   b failed         a started
    /// ```
    ///
    /// Records, crashes, leases, cancelling, buffers and threads are as for `Signals.job(_:at:policy:store:)`. The policy differs where a time stands alone:
    /// - ``JobPolicy/missed``: with `.skip`, times that passed before the subscription do not run. With `.runOnce` and
    ///   `.runAll` each of them runs.
    /// - ``JobPolicy/overlapping``: with `.parallel`, as many run at a time as it says. Otherwise they run one after
    ///   another, in the order of their times. None is skipped for another, and none waits for another's retry.
    ///
    /// - Ends: only by `stop`.
    /// - Fails: never. Failures of runs, the store and the lease are values.
    /// - Cancelling: as for a job at a calendar's times. What is scheduled stays in the store.
    ///
    /// - Parameters:
    ///   - policy: what becomes of missed times, of failed and interrupted runs.
    ///   - stop: its first value, or its end, ends the job.
    ///   - work: does the job. It may schedule its own id again.
    public func job(
        policy: JobPolicy = JobPolicy(),
        until stop: AnySignal<Void, Never>? = nil,
        _ work: @escaping @Sendable (JobRun) async throws -> Void
    ) -> AnySignal<JobEvent, Never> {
        job(policy, stop, wall, boot, work)
    }

    private func job(
        _ policy: JobPolicy,
        _ stop: AnySignal<Void, Never>?,
        _ wall: some WallTimedScheduler,
        _ boot: some TimedScheduler,
        _ work: @escaping @Sendable (JobRun) async throws -> Void
    ) -> AnySignal<JobEvent, Never> {
        JobSignal(
            job: Job(
                plan: JobPlan(name: name, times: nil, policy: policy, timeToLive: lease?.timeToLive),
                store: store,
                lease: lease,
                wall: wall,
                boot: boot,
                executor: executor,
                work: work
            ),
            stop: stop,
            changes: writer.changes.eraseToAnySignal()
        )
        .eraseToAnySignal()
    }

    // MARK: Changing

    /// Schedules a run. It replaces the one with this id that waits, for its time or for a retry. A run that has begun
    /// goes on, but is not tried again; the new one waits until it has returned.
    ///
    /// When this returns, the store has it. Cancelling the task ends the wait; the store may have it then.
    ///
    /// - Parameters:
    ///   - id: any text that is not empty, of at most ``maxIDLength`` bytes.
    ///   - time: an instant of the wall clock. One that has passed is due at once, within the job's grace period and
    ///     unless the policy skips missed times.
    /// - Throws: ``OneShotError`` when it cannot be one; an error of the store: it is then unknown whether the store has
    ///   it, and scheduling it again is safe. `CancellationError`.
    public func schedule(_ id: String, at time: TimerInstant) async throws {
        guard !id.isEmpty, id.utf8.count <= Self.maxIDLength else { throw OneShotError.invalidID(id) }
        guard JobTime.canBeWritten(time) else { throw OneShotError.invalidTime(id: id) }
        _ = try await writer.write { [name] record throws(OneShotError) in
            guard record.replaceOneShot(id, at: time) else { throw .tooMany(job: name) }
            return true
        }
    }

    /// Schedules a run at a calendar's next time, such as the only one of `2027-01-04 09:00 Europe/Berlin`. See
    /// `schedule(_:at:)`. The instant is computed here, and stays when the zone's rules change.
    ///
    /// - Throws: also ``OneShotError/noTime(id:calendar:)``.
    public func schedule(_ id: String, at calendar: CalendarSchedule) async throws {
        guard let time = calendar.next(after: wall.now) else {
            throw OneShotError.noTime(id: id, calendar: "\(calendar)")
        }
        try await schedule(id, at: time)
    }

    /// Schedules a run after that time on the wall clock: it follows the clock when that is set. See
    /// `schedule(_:at:)`.
    public func schedule(_ id: String, after duration: Duration) async throws {
        try await schedule(id, at: wall.now.advanced(by: duration))
    }

    /// Removes what is scheduled with this id. If it runs, here or in another instance, it is cancelled
    /// (``JobCancellation/withdrawn``) as soon as that instance knows.
    ///
    /// - Returns: whether there was one, when the store has removed it.
    /// - Throws: an error of the store: it is then unknown whether it is removed. `CancellationError`.
    @discardableResult
    public func cancel(_ id: String) async throws -> Bool {
        try await writer.write { record throws(OneShotError) in record.removeOneShots(id) }
    }

    /// The one-shots of the store, those that run and those that wait, in the order of their times. The store decides whether
    /// cancelling the task ends the wait: ``FileJobStore`` answers all the same.
    ///
    /// - Throws: an error of the store.
    public func list() async throws -> [OneShot] {
        try await store.load(name)?.entries.compactMap(OneShot.init).sorted { $0.time < $1.time } ?? []
    }
}
