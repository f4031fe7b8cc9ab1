import Testing
@testable import Timers

@Suite("JobMachine")
struct JobMachineTests {
    @Test("a grant whose number is too high for a record is given back, and is reported once")
    func highGrant() throws {
        let now = JobMachine.Moment(wall: TimerInstant(nanoseconds: 0), boot: TimerInstant(nanoseconds: 0))
        let plan = JobPlan(name: "job", times: nil, policy: JobPolicy(), timeToLive: .seconds(15))
        var machine = JobMachine(plan, at: now)
        let grant = JobGrant(number: .max)
        #expect(machine.step(.wake, at: now) == [.acquire(request: 1)])
        let reason = "the number \(UInt64.max) of its grant is too high"
        #expect(
            machine.step(.granted(request: 1, .success(grant)), at: now)
                == [.release(grant), .tell(.leaseUnreachable(job: "job", reason: reason))]
        )
        let later = JobMachine.Moment(wall: now.wall, boot: now.boot.advanced(by: .seconds(5)))
        #expect(machine.step(.wake, at: later) == [.acquire(request: 2)])
        #expect(machine.step(.granted(request: 2, .success(grant)), at: later) == [.release(grant)])
    }

    @Test("two instances that decide the same write different records, so a store tells them apart")
    func sameDecision() throws {
        let midnight = TimerInstant(nanoseconds: 1_772_409_600_000_000_000)
        let now = JobMachine.Moment(wall: midnight.advanced(by: .seconds(3600)), boot: TimerInstant(nanoseconds: 0))
        let times = JobTimes(try CalendarSchedule("*:0 UTC"), jitter: .none)
        var stored = JobRecord(done: midnight, at: midnight)
        stored.revision = 1
        let records = [UInt64(1), 2].compactMap { grant -> JobRecord? in
            let plan = JobPlan(name: "job", times: times, policy: JobPolicy(), timeToLive: .seconds(15))
            var machine = JobMachine(plan, at: now)
            _ = machine.step(.wake, at: now)
            _ = machine.step(.granted(request: 1, .success(JobGrant(number: grant))), at: now)
            return Self.saved(machine.step(.loaded(request: 2, .success(stored)), at: now))
        }
        #expect(records.map(\.entries.count) == [1, 1])
        #expect(Set(records).count == 2)
    }

    @Test("a one-shot begins, if the answer to writing that was lost and another was scheduled since")
    func lostAnswer() throws {
        let time = TimerInstant(nanoseconds: 1_772_409_600_000_000_000)
        let now = JobMachine.Moment(wall: time, boot: TimerInstant(nanoseconds: 0))
        let later = JobMachine.Moment(wall: time.advanced(by: .seconds(60)), boot: now.boot.advanced(by: .seconds(60)))
        var stored = JobRecord(done: time, at: time)
        stored.revision = 1
        stored.entries = [JobRecord.Entry(id: "a", time: time)]
        var machine = JobMachine(JobPlan(name: "job", times: nil, policy: JobPolicy(), timeToLive: nil), at: now)
        #expect(machine.step(.wake, at: now) == [.load(request: 1)])
        stored = try #require(Self.saved(machine.step(.loaded(request: 1, .success(stored)), at: now)))
        _ = machine.step(.saved(request: 2, .failure(JobFault("lost"))), at: now)
        stored.revision += 1
        stored.entries.append(JobRecord.Entry(id: "b", time: time.advanced(by: .seconds(3600))))
        #expect(machine.step(.wake, at: later) == [.load(request: 3)])
        let actions = machine.step(.loaded(request: 3, .success(stored)), at: later)
        #expect(actions.count == 1, "nothing is told: \(actions)")
        let number = try #require(Self.saved(actions)).number
        let run = JobRun(job: "job", id: "a", time: time, attempt: 1, missed: 0, number: number)
        #expect(machine.step(.saved(request: 4, .success(true)), at: later) == [.tell(.started(run)), .start(run)])
    }

    /// The record that is to be written.
    private static func saved(_ actions: [JobMachine.Action]) -> JobRecord? {
        guard case .save(_, let record)? = actions.first else { return nil }
        return record
    }
}
