/// Decides what becomes of a job's times. A value: it is stepped by events and answers with what is to be done; it knows
/// no threads, and no clock but the times that are passed in.
///
/// What is decided becomes true when the store has taken it: before a run begins, the record says that it has. A record
/// is written in place of the one that was read, so of two instances that decide the same, one decides again.
struct JobMachine: Sendable {
    /// The readings of two clocks: times of the calendar are compared with the wall clock, and spans of time are
    /// measured by the boot clock, which is not set and goes on while the machine is suspended.
    struct Moment: Sendable {
        var wall: TimerInstant
        var boot: TimerInstant
    }

    /// Requests have numbers, so that an answer that comes after its time is told from others.
    enum Event: Sendable {
        /// One of ``deadlines(after:)`` has come, or the clock was set.
        case wake
        case granted(request: Int, Result<JobGrant?, JobFault>)
        case renewed(request: Int, Result<Bool, JobFault>)
        case loaded(request: Int, Result<JobRecord?, JobFault>)
        case saved(request: Int, Result<Bool, JobFault>)
        /// The closure has returned; with what it threw.
        case ended(UInt64, failure: String?)
        /// Somebody else has written the record.
        case changed
        case stop
    }

    enum Action: Sendable, Equatable {
        case acquire(request: Int)
        case renew(request: Int, JobGrant)
        case release(JobGrant)
        case load(request: Int)
        case save(request: Int, JobRecord)
        case start(JobRun)
        case cancel(UInt64)
        case tell(JobEvent)
        /// Nothing follows.
        case finish
    }

    /// A request on its way.
    struct Request: Sendable {
        var id: Int
        var sent: TimerInstant
        /// When it counts as failed.
        var deadline: TimerInstant
    }

    /// The lease, while it is held.
    struct Held: Sendable {
        var grant: JobGrant
        var renewAt: TimerInstant
        var validUntil: TimerInstant
    }

    /// A run whose closure has not returned.
    struct Active: Sendable {
        var run: JobRun
        var limitAt: TimerInstant?
        var cancellation: Cancellation?
        /// When the run is to be reported as unresponsive; nil when that is done.
        var graceEndsAt: TimerInstant?
    }

    enum Cancellation: Sendable, Equatable {
        case timeLimit
        case other(JobCancellation)
    }

    /// What becomes of the entry of a run that has ended.
    enum Ending: Sendable {
        case removed(JobRecord.End)
        /// It runs again; with the wait on the boot clock.
        case again(at: TimerInstant, JobRecord.End)
        /// It was never begun.
        case unstarted
    }

    /// A record that is being written, and what follows when it is.
    struct Decision: Sendable {
        var record: JobRecord
        var endings: [UInt64] = []
        var starts: [JobRun] = []
        var cancels: [UInt64] = []
        var news: [JobEvent] = []
    }

    private let plan: JobPlan

    var job: String { plan.name }
    var times: JobTimes? { plan.times }
    var policy: JobPolicy { plan.policy }
    var timeToLive: Int64? { plan.timeToLive }

    /// Times due until then came before the program did.
    var began: TimerInstant
    var lastRequest = 0
    /// Nil while there is none.
    var stored: StoredActivity?

    /// The record that was read or written last.
    var record: JobRecord? {
        didSet {
            guard record?.done != oldValue?.done else { return }
            next = record.flatMap { times?.schedule.next(after: $0.done) }
        }
    }
    /// The calendar's first time that is not done.
    private(set) var next: TimerInstant?
    /// Whether the record is the store's. Not without the lease, nor after a failure.
    var isCurrent = false
    /// Whether the record was looked at since the start, or since the lease was lost.
    var hasLooked = false
    /// Whether somebody else has written the record since it was asked for.
    var isChanged = false
    var isLeaseUnreachable = false
    var isStopping = false
    var isFinished = false

    /// When a time was last found to be due for a run.
    var lastPlaced: TimerInstant

    /// How far the clock may be set back without times that are done coming again. Cron has the same limit.
    static var clockTolerance: Int64 { 3 * 3600 * 1_000_000_000 }
    /// How long the store may take, in nanoseconds.
    static var storeTimeout: Int64 { 30_000_000_000 }
    /// How often to see what other instances have changed, in nanoseconds.
    static var refreshInterval: Int64 { 60_000_000_000 }
    /// Missed times are counted one by one up to this number.
    static var countLimit: Int { CalendarState.countLimit }

    init(_ plan: JobPlan, at now: Moment) {
        self.plan = plan
        began = now.wall
        lastPlaced = now.wall
        if plan.times == nil, plan.timeToLive != nil {
            refreshAt = now.boot.advanced(byNanoseconds: Self.refreshInterval)
        }
    }

    // MARK: Stepping

    mutating func step(_ event: Event, at moment: Moment) -> [Action] {
        defer { releaseActivity() }
        now = moment
        guard !isFinished else {
            returnLease(after: event)
            return actions
        }
        // If the clock was wrong at first, it was not later then than now.
        began = min(began, now.wall)
        lastPlaced = min(lastPlaced, now.wall)
        take(event)
        proceed()
        return actions
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .wake: break
        case .granted(let request, let result): granted(request, result)
        case .renewed(let request, let result): renewed(request, result)
        case .loaded(let request, let result): loaded(request, result)
        case .saved(let request, let result): saved(request, result)
        case .ended(let number, let failure): ended(number, failure)
        case .changed:
            hasLooked = false
            isChanged = true
        case .stop: stop()
        }
    }

    private mutating func proceed() {
        expireRequests()
        if let held, now.boot >= held.validUntil { loseLease() }
        cancelOverdue()
        releaseLost()
        if now.boot >= refreshAt {
            refreshAt = now.boot.advanced(byNanoseconds: Self.refreshInterval)
            hasLooked = false
            isChanged = true
        }
        if isHeld {
            renewIfDue()
            if storeRequest == nil {
                if isChanged {
                    // Also what was asked for before the change is not the store's any more.
                    isChanged = false
                    isCurrent = false
                    hasLooked = false
                }
                if !isCurrent {
                    if now.boot >= storeRetryAt { load() }
                } else {
                    decide()
                }
            }
            releaseIfIdle()
        } else {
            acquireIfWanted()
        }
        finishIfDone()
    }

    /// When ``Event/wake`` is due next, on either clock. Asked for after a step, with its moment.
    func deadlines(after now: Moment) -> (wall: TimerInstant?, boot: TimerInstant?) {
        guard !isFinished else { return (nil, nil) }
        var (wall, boot) = (TimerInstant.distantFuture, TimerInstant.distantFuture)
        // What has come was looked at; it waits for something else.
        func wake(onWall instant: TimerInstant) { if instant > now.wall { wall = min(wall, instant) } }
        func wake(onBoot instant: TimerInstant?) {
            if let instant, instant > now.boot { boot = min(boot, instant) }
        }
        wake(onBoot: stopEndsAt)
        wake(onBoot: leaseRequest?.deadline)
        wake(onBoot: storeRequest?.deadline)
        wake(onBoot: held?.validUntil)
        wake(onBoot: held?.renewAt)
        for run in active {
            wake(onBoot: run.limitAt)
            wake(onBoot: run.graceEndsAt)
        }
        for instant in retryAt.values { wake(onBoot: instant) }
        wake(onBoot: pollAt)
        wake(onBoot: storeRetryAt)
        if !isStopping {
            wake(onBoot: refreshAt)
            if let next, let times { wake(onWall: times.offset.due(next)) }
            for entry in record?.entries ?? [] { wake(onWall: due(entry)) }
        }
        return (wall < .distantFuture ? wall : nil, boot < .distantFuture ? boot : nil)
    }

    /// Whether a request is under way.
    var isAsking: Bool { !isFinished && (leaseRequest != nil || storeRequest != nil) }

    mutating func tell(_ event: JobEvent) { actions.append(.tell(event)) }

    mutating func request(within timeout: Int64) -> Request {
        lastRequest += 1
        return Request(id: lastRequest, sent: now.boot, deadline: now.boot.advanced(byNanoseconds: timeout))
    }

    private mutating func expireRequests() {
        let fault = JobFault("no answer in time")
        if let request = leaseRequest, now.boot >= request.deadline {
            if held == nil { granted(request.id, .failure(fault)) } else { renewed(request.id, .failure(fault)) }
        }
        if let request = storeRequest, now.boot >= request.deadline { storeFailed(fault) }
    }

    // MARK: The end

    private mutating func stop() {
        guard !isStopping else { return }
        isStopping = true
        stopEndsAt = now.boot.advanced(by: policy.cancellationGrace)
        for index in active.indices { cancel(index, .other(.stopped)) }
    }

    private mutating func finishIfDone() {
        if !isStopping {
            // The calendar has no more times.
            guard times != nil, next == nil, let record, hasLooked, record.entries.isEmpty, active.isEmpty,
                endings.isEmpty, storeRequest == nil, leaseRequest == nil
            else { return }
        } else if now.boot < stopEndsAt {
            guard active.isEmpty, storeRequest == nil, endings.isEmpty || !isHeld else { return }
        }
        // A run that has not returned keeps the lease until it returns, or until the lease runs out.
        if active.isEmpty { release() }
        leaseRequest = nil
        isFinished = true
        actions.append(.finish)
    }

    /// After the end, releases a lease that is granted late, and one whose last run has returned.
    private mutating func returnLease(after event: Event) {
        switch event {
        case .granted(let request, let result): granted(request, result)
        case .ended(let number, _):
            active.removeAll { $0.run.number == number }
            guard active.isEmpty else { return }
            release()
            releaseLost()
        default: break
        }
    }
}

/// Why a store or a lease did not answer.
struct JobFault: Error, Sendable, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
