import TestSupport
@testable import Timers

/// Instances of a job, its store and its lease, and what can happen to them, in simulated time. It answers the machines'
/// requests, late or never where it is told to, and looks at all that they do.
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
        var machine: JobMachine?
        var wallOffset: Int64 = 0
        /// Counts starts of the program, so that what belongs to an earlier one is not heard.
        var life = 0
        /// Stopped (SIGSTOP) until then.
        var stoppedUntil: Int64 = 0
        var wakeAt = Int64.max
        var running: [JobRun] = []
    }

    enum Happening {
        case wake(Int)
        case event(Int, life: Int, JobMachine.Event)
        /// A request arrives at the store or the lease.
        case request(Int, life: Int, JobMachine.Action, decided: Int64)
        case returns(Int, life: Int, UInt64, failure: String?)
    }

    struct Start: Equatable {
        var run: JobRun
        var instance: Int
    }

    static let second: Int64 = 1_000_000_000

    let schedule: CalendarSchedule
    let policy: JobPolicy
    let timeToLive: Int64?
    var faults = Faults()
    var runTime: Range<Int64> = second..<2 * second
    var random: SeededGenerator
    var time: Int64
    var instances: [Instance]
    var stored: JobRecord?
    var leaseNumber: UInt64 = 0
    var leaseEnd = Int64.min
    var starts: [Start] = []
    private var numbers: Set<UInt64> = []
    var events: [JobEvent] = []
    /// Times that were given a run, by the records that were written.
    var placed: [TimerInstant] = []
    /// The highest number that what the runs write to has seen.
    var highest: UInt64 = 0
    /// What should not have happened.
    var violations: [String] = []
    private var queue: [(time: Int64, serial: Int, what: Happening)] = []
    private var serial = 0

    init(
        _ schedule: CalendarSchedule,
        _ policy: JobPolicy,
        instances: Int = 1,
        timeToLive: Duration? = nil,
        from start: TimerInstant,
        seed: UInt64 = 0
    ) {
        self.schedule = schedule
        self.policy = policy
        self.timeToLive = timeToLive?.saturatedNanoseconds
        self.instances = Array(repeating: Instance(), count: instances)
        time = start.nanoseconds
        random = SeededGenerator(seed)
    }

    func moment(_ index: Int) -> JobMachine.Moment {
        JobMachine.Moment(
            wall: TimerInstant(nanoseconds: time + instances[index].wallOffset),
            boot: TimerInstant(nanoseconds: time)
        )
    }

    // MARK: What can happen

    mutating func launch(_ index: Int) {
        guard instances[index].machine == nil else { return }
        instances[index].life += 1
        instances[index].machine = JobMachine(
            job: "job",
            times: JobTimes(schedule, delay: .none),
            policy: policy,
            timeToLive: timeToLive.map { .nanoseconds($0) },
            at: moment(index)
        )
        step(index, .wake)
    }

    mutating func crash(_ index: Int) {
        instances[index].machine = nil
        instances[index].running = []
        instances[index].stoppedUntil = 0
    }

    mutating func freeze(_ index: Int, for duration: Int64) {
        instances[index].stoppedUntil = max(instances[index].stoppedUntil, time + duration)
    }

    mutating func setClock(_ index: Int, by distance: Int64) {
        instances[index].wallOffset += distance
        schedule(at: time, .wake(index))
    }

    mutating func stop(_ index: Int) { step(index, .stop) }

    mutating func expireLease() { leaseEnd = .min }

    /// Lets time pass.
    mutating func run(for duration: Duration) {
        let end = time + duration.saturatedNanoseconds
        while let index = queue.indices.min(by: {
            (queue[$0].time, queue[$0].serial) < (queue[$1].time, queue[$1].serial)
        }),
            queue[index].time <= end
        {
            let next = queue.remove(at: index)
            time = max(time, next.time)
            happen(next.what)
        }
        time = max(time, end)
    }

    private mutating func schedule(at time: Int64, _ what: Happening) {
        serial += 1
        queue.append((time, serial, what))
    }

    private mutating func happen(_ what: Happening) {
        switch what {
        case .wake(let index):
            if instances[index].wakeAt <= time { instances[index].wakeAt = .max }
            if let until = stoppedUntil(index) { return schedule(at: until, what) }
            step(index, .wake)
        case .event(let index, let life, let event):
            if let until = stoppedUntil(index) { return schedule(at: until, what) }
            if instances[index].life == life { step(index, event) }
        case .returns(let index, let life, let number, let failure):
            if let until = stoppedUntil(index) { return schedule(at: until, what) }
            guard instances[index].life == life,
                let place = instances[index].running.firstIndex(where: { $0.number == number })
            else { return }
            instances[index].running.remove(at: place)
            step(index, .ended(number, failure: failure))
        case .request(let index, let life, let action, let decided): answer(index, life, action, decided)
        }
    }

    private func stoppedUntil(_ index: Int) -> Int64? {
        let until = instances[index].stoppedUntil
        return instances[index].machine != nil && until > time ? until : nil
    }

    // MARK: The machines

    private mutating func step(_ index: Int, _ event: JobMachine.Event) {
        guard var machine = instances[index].machine else { return }
        instances[index].machine = nil
        let moment = moment(index)
        let actions = machine.step(event, at: moment)
        let deadlines = machine.deadlines
        instances[index].machine = machine
        for action in actions { perform(index, action) }
        let offset = instances[index].wallOffset
        let wake = min(deadlines.wall.map { $0.nanoseconds - offset } ?? .max, deadlines.boot?.nanoseconds ?? .max)
        if wake < instances[index].wakeAt {
            instances[index].wakeAt = wake
            schedule(at: max(wake, time), .wake(index))
        }
    }

    private mutating func perform(_ index: Int, _ action: JobMachine.Action) {
        let life = instances[index].life
        switch action {
        case .acquire, .renew, .release, .load, .save:
            if random.number(0..<1000) < faults.lostRequests { return }
            schedule(
                at: time + delay(),
                .request(index, life: life, action, decided: time + instances[index].wallOffset)
            )
        case .start(let run): start(index, run)
        case .cancel(let number):
            if random.number(0..<1000) < faults.deaf { return }
            schedule(at: time + delay(), .returns(index, life: life, number, failure: "cancelled"))
        case .tell(let event): events.append(event)
        case .finish:
            if !instances[index].running.isEmpty, time < stopEnd(index) {
                violations.append("finished while a run goes on")
            }
            // The program ends.
            crash(index)
        }
    }

    private func stopEnd(_ index: Int) -> Int64 { instances[index].machine?.stopEndsAt.nanoseconds ?? .max }

    private mutating func delay() -> Int64 {
        faults.maxDelay == 0 ? 0 : .random(in: 0...faults.maxDelay, using: &random)
    }

    private mutating func start(_ index: Int, _ run: JobRun) {
        let wall = time + instances[index].wallOffset
        if run.time.nanoseconds > wall { violations.append("\(run) begins early") }
        if run.number != stored?.number, stored?.entries.contains(where: { $0.number == run.number }) != true,
            timeToLive == nil
        {
            violations.append("\(run) begins without a record")
        }
        if !numbers.insert(run.number).inserted { violations.append("\(run) begins twice with one number") }
        if let grace = policy.grace?.saturatedNanoseconds, run.attempt == 1,
            wall - run.time.nanoseconds > grace + JobMachine.storeTimeout
        {
            violations.append("\(run) begins after the grace period")
        }
        starts.append(Start(run: run, instance: index))
        instances[index].running.append(run)
        if instances[index].running.count > policy.slots { violations.append("\(run) overlaps") }
        highest = max(highest, run.number)
        let failure = random.number(0..<1000) < faults.failures ? "no luck" : nil
        let end = time + .random(in: runTime, using: &random)
        schedule(at: end, .returns(index, life: instances[index].life, run.number, failure: failure))
    }

    // MARK: Store and lease

    private mutating func answer(_ index: Int, _ life: Int, _ action: JobMachine.Action, _ decided: Int64) {
        let event: JobMachine.Event
        switch action {
        case .acquire(let id):
            var grant: JobGrant?
            if leaseEnd <= time {
                leaseNumber += 1
                leaseEnd = time + (timeToLive ?? 0)
                grant = JobGrant(number: leaseNumber)
            }
            event = .granted(request: id, .success(grant))
        case .renew(let id, let grant):
            let isHeld = grant.number == leaseNumber && leaseEnd > time
            if isHeld { leaseEnd = time + (timeToLive ?? 0) }
            event = .renewed(request: id, .success(isHeld))
        case .release(let grant):
            if grant.number == leaseNumber { leaseEnd = .min }
            return
        case .load(let id): event = .loaded(request: id, .success(stored))
        case .save(let id, let record):
            let fits = stored?.revision ?? 0 == record.revision - 1
            if fits { write(record, decided: decided) }
            event = .saved(request: id, .success(fits || stored == record))
        default: return
        }
        if random.number(0..<1000) < faults.lostAnswers { return }
        schedule(at: time + delay(), .event(index, life: life, event))
    }

    private mutating func write(_ record: JobRecord, decided: Int64) {
        if let stored {
            if record.number < stored.number { violations.append("the number of the record falls") }
            let before = Set(stored.entries.compactMap(\.number))
            for case let number? in record.entries.map(\.number)
            where !before.contains(number) && number <= stored.number {
                violations.append("the number \(number) is given out again")
            }
            check(stored, record, decided)
        }
        placed += record.entries.filter { $0.attempt == 1 && $0.time > (stored?.done ?? .distantFuture) }.map(\.time)
        stored = record
    }

    /// Compares a decision with the policy, told in the simplest way: by a list of the times that have come.
    private mutating func check(_ before: JobRecord, _ after: JobRecord, _ decided: Int64) {
        let now = TimerInstant(nanoseconds: decided)
        guard before.done <= now.advanced(byNanoseconds: JobMachine.clockTolerance) else { return }
        var due = Array(schedule.occurrences(after: before.done).prefix { $0 <= now })
        let all = due
        if let grace = policy.grace { due.removeAll { $0 < now.advanced(by: .zero - grace) } }
        let new = after.entries.filter { $0.attempt == 1 && $0.time > before.done }.map(\.time)
        // Where nothing is in the way, and no program was just begun.
        guard before.entries.isEmpty, policy.missed != .skip, policy.slots == 1 else {
            if !new.allSatisfy(due.contains) { violations.append("\(new) are placed, and \(due) have come") }
            return
        }
        let expected = policy.missed == .runAll ? due.first : due.last
        if new.first != expected { violations.append("\(new) are placed, and should be \(expected as Any) of \(due)") }
        let done = policy.missed == .runAll ? expected ?? all.last : all.last
        if let done, after.done < done { violations.append("done is \(after.done), and should be \(done)") }
    }
}
