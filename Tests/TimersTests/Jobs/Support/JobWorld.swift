import TestSupport
@testable import Timers

/// Instances of a job, its store and its lease, and what can happen to them, in simulated time. It answers the machines'
/// requests, late or never where it is told to, and ``JobLedger`` looks at all that they do.
struct JobWorld {
    /// What may happen, and how often of a thousand times.
    struct Faults {
        var lostRequests = 0
        var lostAnswers = 0
        var maxDelay: Int64 = 0
        /// Of runs that are cancelled.
        var deaf = 0
        var failures = 0
    }

    /// A program that has the job, or had it before it crashed.
    struct Instance {
        var isUp = false
        var wallOffset: Int64 = 0
        /// Counts starts of the program, so that what belongs to an earlier one is not heard.
        var life = 0
        /// Stopped (SIGSTOP) until then.
        var stoppedUntil: Int64 = 0
        var wakeAt = Int64.max
        var running: [UInt64] = []
    }

    enum Happening {
        case wake(Int)
        /// The clock was set, or a one-shot was changed.
        case event(Int, life: Int, JobMachine.Event)
        /// A request arrives at the store or the lease.
        case request(Int, life: Int, JobMachine.Action, decided: TimerInstant)
        case returns(Int, life: Int, UInt64, failure: String?)
    }

    /// An object, because moving a reference is cheap.
    private final class Planned {
        let time: Int64
        let what: Happening

        init(_ time: Int64, _ what: Happening) {
            self.time = time
            self.what = what
        }
    }

    static let second: Int64 = 1_000_000_000

    /// Nil for one-shots.
    let schedule: CalendarSchedule?
    let policy: JobPolicy
    let timeToLive: Int64?
    /// Whether the lease is a lock: it does not run out, but the end of the program releases it.
    var leaseIsLock = false
    var faults = Faults()
    var runTime: Range<Int64> = second..<2 * second
    var random: SeededGenerator
    var time: Int64
    var instances: [Instance]
    var stored: JobRecord?
    var ledger: JobLedger
    private var machines: [JobMachine?]
    private var leaseNumber: UInt64 = 0
    private var leaseEnd = Int64.min
    private var leaseHolder: (index: Int, life: Int)?
    /// The next one is the last.
    private var queue: [Planned] = []

    init(
        _ schedule: CalendarSchedule?,
        _ policy: JobPolicy,
        instances: Int,
        timeToLive: Duration?,
        from start: Int64,
        random: SeededGenerator
    ) {
        self.schedule = schedule
        self.policy = policy
        self.timeToLive = timeToLive?.saturatedNanoseconds
        self.instances = Array(repeating: Instance(), count: instances)
        self.random = random
        machines = Array(repeating: nil, count: instances)
        time = start
        ledger = JobLedger(schedule, policy, around: start)
    }

    private func moment(_ index: Int) -> JobMachine.Moment {
        JobMachine.Moment(
            wall: TimerInstant(nanoseconds: time + instances[index].wallOffset),
            boot: TimerInstant(nanoseconds: time)
        )
    }

    // MARK: What can happen

    mutating func launch(_ index: Int) {
        guard !instances[index].isUp else { return }
        instances[index].isUp = true
        instances[index].life += 1
        instances[index].wakeAt = .max
        let plan = JobPlan(
            name: "job",
            times: schedule.map { JobTimes($0, jitter: .none) },
            policy: policy,
            timeToLive: timeToLive.map { .nanoseconds($0) }
        )
        machines[index] = JobMachine(plan, at: moment(index))
        step(index, .wake)
    }

    mutating func crash(_ index: Int) {
        machines[index] = nil
        if leaseIsLock, hasLease(index) { leaseEnd = .min }
        instances[index].isUp = false
        instances[index].running = []
        instances[index].stoppedUntil = 0
    }

    mutating func freeze(_ index: Int, for duration: Int64) {
        instances[index].stoppedUntil = max(instances[index].stoppedUntil, time + duration)
    }

    mutating func setClock(_ index: Int, by distance: Int64) {
        instances[index].wallOffset += distance
        plan(at: time, .event(index, life: instances[index].life, .wake))
    }

    mutating func stop(_ index: Int) { if instances[index].isUp { step(index, .stop) } }

    mutating func expireLease() { leaseEnd = .min }

    private func hasLease(_ index: Int) -> Bool {
        leaseEnd > time && leaseHolder?.index == index && leaseHolder?.life == instances[index].life
    }

    /// Looks at a job that was stopped long enough ago for all answers to have come.
    mutating func checkStopped(_ index: Int) {
        guard leaseIsLock, hasLease(index), instances[index].running.isEmpty, stoppedUntil(index) == nil else { return }
        ledger.violations.append("a job that was stopped keeps the lease")
    }

    /// A caller in an instance changes the one-shots, as `OneShots` does.
    mutating func changeOneShots(_ index: Int, _ change: (inout JobRecord) -> Void) {
        let wall = moment(index).wall
        var record = stored ?? JobRecord(done: wall, at: wall)
        change(&record)
        record.revision += 1
        stored = record
        plan(at: time + delay(), .event(index, life: instances[index].life, .changed))
    }

    /// Lets time pass.
    mutating func run(for nanoseconds: Int64) {
        let end = time + nanoseconds
        while let next = queue.last, next.time <= end {
            queue.removeLast()
            time = max(time, next.time)
            happen(next.what)
        }
        time = end
    }

    private mutating func plan(at time: Int64, _ what: Happening) {
        // Of one time, the first that was planned comes first.
        var (low, high) = (0, queue.count)
        while low < high {
            let middle = (low + high) / 2
            if queue[middle].time > time { low = middle + 1 } else { high = middle }
        }
        queue.insert(Planned(time, what), at: low)
    }

    private mutating func happen(_ what: Happening) {
        switch what {
        case .wake(let index):
            // A later one has taken its place.
            guard instances[index].wakeAt <= time else { return }
            if let until = stoppedUntil(index) {
                instances[index].wakeAt = until
                return plan(at: until, what)
            }
            instances[index].wakeAt = .max
            step(index, .wake)
        case .event(let index, let life, let event):
            guard instances[index].life == life else { return }
            if let until = stoppedUntil(index) { return plan(at: until, what) }
            step(index, event)
        case .returns(let index, let life, let number, let failure):
            guard instances[index].life == life, instances[index].running.contains(number) else { return }
            if let until = stoppedUntil(index) { return plan(at: until, what) }
            instances[index].running.removeAll { $0 == number }
            step(index, .ended(number, failure: failure))
        case .request(let index, let life, let action, let decided): answer(index, life, action, decided)
        }
    }

    private func stoppedUntil(_ index: Int) -> Int64? {
        let until = instances[index].stoppedUntil
        return instances[index].isUp && until > time ? until : nil
    }

    // MARK: The machines

    private mutating func step(_ index: Int, _ event: JobMachine.Event) {
        let moment = moment(index)
        guard let actions = machines[index]?.step(event, at: moment) else { return }
        guard let deadlines = machines[index]?.deadlines(after: moment) else { return }
        for action in actions { perform(index, action) }
        guard instances[index].isUp else { return }
        let offset = instances[index].wallOffset
        let wake = min(deadlines.wall.map { $0.nanoseconds - offset } ?? .max, deadlines.boot?.nanoseconds ?? .max)
        guard wake != instances[index].wakeAt else { return }
        instances[index].wakeAt = wake
        if wake < .max { plan(at: max(wake, time), .wake(index)) }
    }

    private mutating func perform(_ index: Int, _ action: JobMachine.Action) {
        let life = instances[index].life
        switch action {
        case .release(let grant) where leaseIsLock: release(grant)
        case .acquire, .renew, .release, .load, .save:
            if isOneOf(faults.lostRequests) { return }
            plan(at: time + delay(), .request(index, life: life, action, decided: moment(index).wall))
        case .start(let run): start(index, run)
        case .cancel(let number):
            if isOneOf(faults.deaf) { return }
            plan(at: time + delay(), .returns(index, life: life, number, failure: "cancelled"))
        case .tell(let event): ledger.told(event, at: time)
        case .finish:
            if !instances[index].running.isEmpty, let stop = machines[index]?.stopEndsAt.nanoseconds, time < stop {
                ledger.violations.append("finished while a run goes on")
            }
        // The program goes on without the job.
        }
    }

    private mutating func isOneOf(_ share: Int) -> Bool { share > 0 && random.number(0..<1000) < share }

    private mutating func delay() -> Int64 {
        faults.maxDelay == 0 ? 0 : .random(in: 0...faults.maxDelay, using: &random)
    }

    private mutating func start(_ index: Int, _ run: JobRun) {
        ledger.started(run, wall: moment(index).wall, at: time)
        instances[index].running.append(run.number)
        if instances[index].running.count > policy.slots { ledger.violations.append("\(run) overlaps") }
        let failure = isOneOf(faults.failures) ? "no luck" : nil
        let end = time + .random(in: runTime, using: &random)
        plan(at: end, .returns(index, life: instances[index].life, run.number, failure: failure))
    }

    // MARK: Store and lease

    private mutating func answer(_ index: Int, _ life: Int, _ action: JobMachine.Action, _ decided: TimerInstant) {
        let event: JobMachine.Event
        switch action {
        case .acquire(let id):
            // A program that has ended locks nothing.
            if leaseIsLock, instances[index].life != life || !instances[index].isUp { return }
            var grant: JobGrant?
            if leaseEnd <= time {
                leaseNumber += 1
                leaseEnd = leaseIsLock ? .max : time + (timeToLive ?? 0)
                leaseHolder = (index, life)
                grant = JobGrant(number: leaseNumber)
            }
            event = .granted(request: id, .success(grant))
        case .renew(let id, let grant):
            let isHeld = grant.number == leaseNumber && leaseEnd > time
            if isHeld, !leaseIsLock { leaseEnd = time + (timeToLive ?? 0) }
            event = .renewed(request: id, .success(isHeld))
        case .release(let grant): return release(grant)
        case .load(let id): event = .loaded(request: id, .success(stored))
        case .save(let id, let record):
            let fits = stored?.revision ?? 0 == record.revision - 1
            if fits {
                if (try? JobRecord(text: record.text)) != record { ledger.violations.append("unreadable: \(record)") }
                ledger.wrote(record, over: stored, decided: decided)
                stored = record
            }
            event = .saved(request: id, .success(fits || stored == record))
        default: return
        }
        // The grant of a lock is not lost on its way.
        if case .granted = event, leaseIsLock {} else if isOneOf(faults.lostAnswers) { return }
        plan(at: time + delay(), .event(index, life: life, event))
    }

    private mutating func release(_ grant: JobGrant) {
        if grant.number == leaseNumber { leaseEnd = .min }
    }
}
