import Bus
import BusTesting
import TestSupport
import Testing
import Timers

@Suite("job")
struct JobTests {
    /// 2026-03-02, a Monday, 00:00 UTC.
    private static let midnight = TimerInstant(nanoseconds: 1_772_409_600_000_000_000)
    private static let minute = Duration.seconds(60)

    private let time = TestScheduler(wallTime: midnight)
    private let store: TestJobStore
    private let log = Collected<String>()

    init() { store = TestJobStore(on: time) }

    /// Runs a job at every full hour, and writes down its events without its name and the date.
    private func listen(
        _ policy: JobPolicy = JobPolicy(),
        at calendar: String = "hourly",
        lease: (any JobLease)? = nil,
        until stop: AnySignal<Void, Never>? = nil,
        in log: Collected<String>? = nil,
        _ work: @escaping @Sendable (JobRun) async throws -> Void
    ) throws -> any Disposable {
        let log = log ?? self.log
        return Signals.job(
            "job",
            at: try CalendarSchedule(calendar, local: .utc),
            policy: policy,
            store: store,
            lease: lease,
            until: stop,
            on: time.wall,
            timer: time.boot,
            executor: time.executor,
            work
        ).subscribe(
            next: { log.add("\($0)".replacing("job 2026-03-02T", with: "").replacing(":00Z", with: "")) },
            completed: { log.add("end") }
        )
    }

    private func working(_ duration: Duration) -> @Sendable (JobRun) async throws -> Void {
        { [time] _ in try await time.sleep(for: duration) }
    }

    @Test("runs at each of the calendar's times, and not before")
    func runs() throws {
        let job = try listen { [time] run in
            #expect(time.wall.now == run.time)
            #expect(run.attempt == 1)
        }
        time.advance(by: Self.minute * 121)
        #expect(log.all == ["01:00: started", "01:00: succeeded", "02:00: started", "02:00: succeeded"])
        job.dispose()
        time.advance(by: Self.minute * 121)
        #expect(log.all.count == 4)
        #expect(time.pendingCount == 0)
    }

    @Test("a job that waits has one timer")
    func oneTimer() throws {
        let job = try listen { _ in }
        time.advance(by: Self.minute * 60 + .seconds(1))
        #expect(log.all.count == 2)
        #expect(time.pendingCount == 1)
        job.dispose()
    }

    @Test("numbers grow from run to run")
    func numbers() throws {
        let numbers = Collected<UInt64>()
        let job = try listen { numbers.add($0.number) }
        defer { job.dispose() }
        time.advance(by: Self.minute * 300)
        #expect(numbers.all.count == 5)
        #expect(numbers.all == numbers.all.sorted())
        #expect(Set(numbers.all).count == 5)
    }

    @Test(
        "runs that overlap: the documented time lines",
        arguments: [
            (
                OverlappingRuns.skip,
                [
                    "02:00: started", "03:00: skipped: an earlier run has not ended", "02:00: succeeded",
                    "04:00: started",
                ]
            ),
            (
                .queue(max: 1),
                ["02:00: started", "02:00: succeeded", "03:00: started", "03:00: succeeded", "04:00: started"]
            ),
            (
                .parallel(max: 2),
                ["02:00: started", "03:00: started", "02:00: succeeded", "04:00: started", "03:00: succeeded"]
            ),
            (
                .restart,
                [
                    "02:00: started", "02:00: cancelled: the next time has come", "03:00: started",
                    "03:00: cancelled: the next time has come", "04:00: started",
                ]
            ),
        ]
    )
    func overlapping(policy: OverlappingRuns, expected: [String]) throws {
        time.jump(by: Self.minute * 70)
        let job = try listen(JobPolicy(overlapping: policy), working(Self.minute * 90))
        defer { job.dispose() }
        // To 05:20; until 04:00 it has not run twice.
        time.advance(by: Self.minute * 250)
        #expect(Array(log.all.prefix(expected.count)) == expected)
    }

    @Test("a run whose time is over when the next time replaces it is not tried again")
    func restartAfterTimeLimit() throws {
        let policy = JobPolicy(
            overlapping: .restart,
            timeLimit: Self.minute * 59,
            retries: .constant(Self.minute * 30, limit: 1),
            cancellationGrace: Self.minute * 5
        )
        let job = try listen(policy) { [time] run in
            guard run.time == Self.midnight + Self.minute * 60 else { return }
            try? await time.sleep(for: Self.minute * 90)
            // It takes two minutes to return.
            await withCheckedContinuation { goOn in time.schedule(after: Self.minute * 2) { goOn.resume() } }
        }
        defer { job.dispose() }
        time.advance(by: Self.minute * 179)
        #expect(
            log.all == [
                "01:00: started", "01:00: cancelled: the next time has come", "02:00: started", "02:00: succeeded",
            ]
        )
    }

    @Test("a run that fails while the store writes that the next time replaces it is not tried again")
    func restartWhileStoreWrites() throws {
        let policy = JobPolicy(overlapping: .restart, retries: .constant(Self.minute * 30, limit: 1))
        let job = try listen(policy) { [time] run in
            guard run.time == Self.midnight + Self.minute * 60 else { return }
            try await time.sleep(for: Self.minute * 60 + .seconds(5))
            throw TestFailure("no luck")
        }
        defer { job.dispose() }
        time.advance(by: Self.minute * 90)
        store.fail(.late(.seconds(20)))
        time.advance(by: Self.minute * 89)
        #expect(log.all == ["01:00: started", "01:00: failed: no luck", "02:00: started", "02:00: succeeded"])
    }

    @Test(
        "a run that the end of the program cancels does not run again if the next time has replaced it",
        arguments: [.seconds(1), .seconds(5)] as [Duration]
    )
    func restartAndStop(returning: Duration) throws {
        let policy = JobPolicy(overlapping: .restart, interrupted: .runAgain(maxAttempts: 3))
        let job = try listen(policy) { [time] _ in
            try? await time.sleep(for: Self.minute * 90)
            await withCheckedContinuation { goOn in time.schedule(after: returning) { goOn.resume() } }
        }
        time.advance(by: Self.minute * 119 + .seconds(59))
        // The record that says so takes three seconds.
        store.fail(.late(.seconds(3)))
        time.advance(by: .seconds(2))
        job.dispose()
        time.advance(by: .seconds(10))
        let entries = try #require(store.records["job"]?.text).split(separator: "\n").filter { $0.hasPrefix("waiting") }
        #expect(entries == ["waiting 2026-03-02T02:00:00Z attempt 1 missed 0"])
    }

    @Test("a queue that is full leaves out the times that come")
    func fullQueue() throws {
        let job = try listen(JobPolicy(overlapping: .queue(max: 1)), working(Self.minute * 150))
        defer { job.dispose() }
        time.advance(by: Self.minute * 60 * 4 - Self.minute)
        #expect(
            log.all == [
                "01:00: started", "03:00: skipped: an earlier run has not ended", "01:00: succeeded", "02:00: started",
            ]
        )
    }

    @Test("a clock that is set decades ahead during a run: all the times between find no place at once")
    func clockSetAhead() throws {
        let years = Self.minute * 60 * 24 * 365
        let job = try listen(JobPolicy(missed: .runAll), at: "*:*:30", working(years * 100))
        defer { job.dispose() }
        time.advance(by: .seconds(45))
        time.jump(by: years * 50)
        time.advance()
        #expect(
            log.all == [
                "00:00:30Z: started", "00:01:30Z: skipped: an earlier run has not ended",
                "00:02:30Z: skipped: an earlier run has not ended, as the 99999 after it",
            ]
        )
    }

    @Test(
        "times that passed while the program did not run: none, one or all of them, within the grace period",
        arguments: [
            (MissedTimes.skip, Duration?.none, ["02:00: skipped: missed, as the 2 after it"]),
            (.runOnce, nil, ["02:00: skipped: missed, as the 1 after it", "04:00: started", "04:00: succeeded"]),
            (
                .runAll, nil,
                ["02:00", "03:00", "04:00"].flatMap { ["\($0): started", "\($0): succeeded"] }
            ),
            (.runOnce, Self.minute * 20, ["02:00: skipped: too late, as the 2 after it"]),
            (
                .runAll, Self.minute * 100,
                ["02:00: skipped: too late"] + ["03:00", "04:00"].flatMap { ["\($0): started", "\($0): succeeded"] }
            ),
        ]
    )
    func missed(missed: MissedTimes, grace: Duration?, expected: [String]) throws {
        try listenOnce()
        time.advance(by: Self.minute * 195)
        let job = try listen(JobPolicy(missed: missed, within: grace)) { _ in }
        time.advance()
        job.dispose()
        time.advance()
        #expect(log.all == expected)
    }

    /// A program that ran at 01:00 and ended at 01:15.
    private func listenOnce() throws {
        let job = try listen(in: Collected()) { _ in }
        time.advance(by: Self.minute * 75)
        job.dispose()
        time.advance()
    }

    @Test("the next run counts the times that were left out")
    func countsMissed() throws {
        try listenOnce()
        time.advance(by: Self.minute * 195)
        let runs = Collected<Int>()
        let job = try listen(JobPolicy(missed: .skip)) { runs.add($0.missed) }
        defer { job.dispose() }
        time.advance(by: Self.minute * 60 + Self.minute * 60)
        #expect(runs.all == [3, 0])
    }

    @Test("a run that waits and is skipped hands on the missed times that it counts")
    func handsOnMissed() throws {
        let runs = Collected<Int>()
        let job = try listen(JobPolicy(overlapping: .restart)) { [time] run in
            runs.add(run.missed)
            guard run.time == Self.midnight + Self.minute * 60 else { return }
            await withCheckedContinuation { goOn in time.schedule(after: Self.minute * 190) { goOn.resume() } }
        }
        defer { job.dispose() }
        time.advance(by: Self.minute * 255)
        #expect(runs.all == [0, 2])
    }

    // MARK: Failures

    @Test("a run that fails is tried again, with the waits of the backoff, as often as its limit says")
    func retries() throws {
        let backoff = Backoff.exponential(from: .seconds(10), upTo: .seconds(60), jitter: 0, limit: 2)
        let job = try listen(JobPolicy(retries: backoff)) { _ in throw TestFailure("no luck") }
        defer { job.dispose() }
        time.advance(by: Self.minute * 61)
        #expect(
            log.all == [
                "01:00: started", "01:00: failed: no luck; the next attempt is in 10.0 seconds",
                "01:00, attempt 2: started", "01:00, attempt 2: failed: no luck; the next attempt is in 20.0 seconds",
                "01:00, attempt 3: started", "01:00, attempt 3: failed: no luck",
            ]
        )
    }

    @Test("an attempt that takes too long is cancelled; one that does not return is reported, and still runs")
    func timeLimit() throws {
        let job = try listen(JobPolicy(timeLimit: Self.minute, cancellationGrace: .seconds(10))) { [time] run in
            try await time.sleep(for: .seconds(run.missed == 0 ? 3600 : 1))
        }
        time.advance(by: Self.minute * 62)
        #expect(log.all == ["01:00: started", "01:00: timed out"])
        job.dispose()
        time.advance()

        let deaf = Collected<String>()
        let other = try listen(JobPolicy(timeLimit: Self.minute, cancellationGrace: .seconds(10)), in: deaf) {
            [time] _ in
            await withCheckedContinuation { goOn in time.schedule(after: Self.minute * 90) { goOn.resume() } }
        }
        defer { other.dispose() }
        time.advance(by: Self.minute * 160)
        #expect(
            deaf.all == [
                "02:00: started", "02:00: was cancelled and does not return",
                "03:00: skipped: an earlier run has not ended", "02:00: timed out",
            ]
        )
    }

    // MARK: Crashes

    /// A crash: the record as it was in the middle of the run at 01:00, in a new program.
    private func crash(_ policy: JobPolicy) throws {
        let before = try listen(in: Collected(), working(Self.minute * 30))
        time.advance(by: Self.minute * 70)
        let records = store.records
        before.dispose()
        time.advance(by: .seconds(1))
        store.records = records
        let job = try listen(policy) { _ in }
        time.advance(by: .seconds(1))
        job.dispose()
        time.advance()
    }

    @Test("a run that a crash interrupted is known at the next start, and does not run again")
    func abandons() throws {
        try crash(JobPolicy())
        #expect(log.all == ["01:00: was interrupted"])
        #expect(store.records["job"]?.text.contains("last abandoned 2026-03-02T01:00:00Z attempt 1") == true)
    }

    @Test("a run that a crash interrupted runs again, if the policy says so and it is not too late")
    func runsAgain() throws {
        try crash(JobPolicy(interrupted: .runAgain(maxAttempts: 2)))
        #expect(
            log.all == [
                "01:00: was interrupted; it runs again", "01:00, attempt 2: started", "01:00, attempt 2: succeeded",
            ]
        )
    }

    @Test("a run that was interrupted does not run again behind its grace period or its last attempt")
    func interruptedTooLate() throws {
        try crash(JobPolicy(within: Self.minute * 5, interrupted: .runAgain(maxAttempts: 2)))
        try crash(JobPolicy(interrupted: .runAgain(maxAttempts: 1)))
        #expect(log.all.allSatisfy { $0.hasSuffix(": was interrupted") })
        #expect(log.all.count == 2)
    }

    // MARK: The end

    @Test("disposal cancels the run, whose end is written")
    func disposal() throws {
        let ends = Collected<String>()
        let job = try listen(JobPolicy(interrupted: .runAgain(maxAttempts: 3))) { [time] _ in
            do { try await time.sleep(for: .seconds(600)) } catch { ends.add("cancelled") }
        }
        time.advance(by: Self.minute * 61)
        job.dispose()
        time.advance()
        #expect(ends.all == ["cancelled"])
        #expect(log.all == ["01:00: started"], "nothing is heard after the disposal")
        let text = try #require(store.records["job"]?.text)
        #expect(text.contains("waiting 2026-03-02T01:00:00Z attempt 2"))
        #expect(time.pendingCount == 0)
    }

    @Test("`until` ends the job when its runs have returned, or when the grace is over")
    func until() throws {
        let stop = Subject<Void, Never>()
        let job = try listen(JobPolicy(), until: stop.eraseToAnySignal()) { [time] _ in
            try? await time.sleep(for: .seconds(600))
            await withCheckedContinuation { goOn in time.schedule(after: .seconds(5)) { goOn.resume() } }
        }
        defer { job.dispose() }
        time.advance(by: Self.minute * 61)
        stop.send(())
        time.advance(by: .seconds(4))
        #expect(log.all == ["01:00: started"])
        time.advance(by: .seconds(1))
        #expect(log.all == ["01:00: started", "01:00: cancelled: the program stops the job", "end"])
        #expect(time.pendingCount == 0)
    }

    @Test("an observer that has enough hears the end, and the job stops", arguments: [1, 2])
    func enough(events: Int) throws {
        let lease = TestJobLease(on: time)
        let runs = Collected<TimerInstant>()
        let job = Signals.job(
            "job",
            at: try CalendarSchedule("hourly", local: .utc),
            store: store,
            lease: lease,
            on: time.wall,
            timer: time.boot,
            executor: time.executor
        ) { [time] _ in runs.add(time.wall.now) }
        let recorder = Recorder(job.take(first: events))
        time.advance(by: Self.minute * 660)
        #expect(recorder.valueCount == events && recorder.hasEnded && recorder.violations.isEmpty)
        #expect(runs.all.count == 1 && lease.holder(of: "job") == nil)
    }

    @Test("ends after the calendar's last time")
    func ends() throws {
        let job = try listen(at: "2026-03-02 01:00", working(Self.minute))
        defer { job.dispose() }
        time.advance(by: Self.minute * 62)
        #expect(log.all == ["01:00: started", "01:00: succeeded", "end"])
    }

    // MARK: The clock

    @Test("a clock that is set back by less than three hours repeats nothing; one that is set back further was wrong")
    func clockSetBack() throws {
        let job = try listen { _ in }
        defer { job.dispose() }
        time.advance(by: Self.minute * 60 * 5 + Self.minute)
        #expect(log.all.count == 10)
        time.stepWall(by: Self.minute * -120)
        time.advance(by: Self.minute * 110)
        #expect(log.all.count == 10)
        time.advance(by: Self.minute * 70)
        #expect(log.all.last == "06:00: succeeded")
        time.stepWall(by: Self.minute * -60 * 5)
        time.advance(by: Self.minute * 60)
        #expect(log.all.last == "02:00: succeeded")
    }

    @Test("a retry of a time that a wrong clock brought does not keep the true times from running")
    func clockWasAhead() throws {
        let ahead = Duration.seconds(36_000)
        time.stepWall(by: ahead)
        let job = try listen(JobPolicy(retries: .constant(Self.minute * 30, limit: 1))) { _ in
            throw TestFailure("no luck")
        }
        defer { job.dispose() }
        time.advance(by: Self.minute * 61)
        time.stepWall(by: .zero - ahead)
        let count = log.all.count
        time.advance(by: Self.minute * 60)
        #expect(log.all.dropFirst(count).prefix(2) == ["11:00: skipped: missed", "02:00: started"])
    }

    @Test(
        "a clock that is set while the store writes makes no run early, and none later than its grace period",
        arguments: [(-10, ["01:00: started", "01:00: succeeded"]), (20, ["01:00: skipped: too late"])]
    )
    func clockSetMeanwhile(minutes: Int, expected: [String]) throws {
        let job = try listen(JobPolicy(within: Self.minute * 5)) { [time] run in #expect(time.wall.now >= run.time) }
        defer { job.dispose() }
        time.advance(by: Self.minute * 30)
        store.fail(.late(.seconds(20)))
        time.advance(by: Self.minute * 30 + .seconds(5))
        time.stepWall(by: Self.minute * minutes)
        time.advance(by: Self.minute * 11)
        #expect(log.all == expected)
    }

    // MARK: The store

    @Test("nothing begins while the store cannot be written, and it is said once; then the job runs")
    func storeFails() throws {
        let job = try listen { _ in }
        defer { job.dispose() }
        time.advance(by: Self.minute * 30)
        for _ in 0..<10 { store.fail(.refused) }
        time.advance(by: Self.minute * 30)
        #expect(log.all == ["job: refused by the test; the job does not run"])
        time.advance(by: Self.minute * 10)
        #expect(log.all.dropFirst() == ["01:00: started", "01:00: succeeded"])
    }

    @Test(
        "an answer of the store that is lost or late repeats no run and loses none",
        arguments: [TestJobError.lost, .late(.seconds(20)), .late(.seconds(100)), .refused],
        0..<4
    )
    func storeAnswers(fault: TestJobError, call: Int) throws {
        let runs = Collected<TimerInstant>()
        let job = try listen { runs.add($0.time) }
        defer { job.dispose() }
        time.advance(by: Self.minute * 30)
        for _ in 0..<call { store.fail(nil) }
        store.fail(fault)
        time.advance(by: Self.minute * 160)
        #expect(runs.all == (1...3).map { Self.midnight + Self.minute * 60 * $0 })
        #expect(log.all.filter { $0.contains("interrupted") } == [])
    }

    // MARK: The lease

    @Test("of several instances one runs each time")
    func oneOfThree() throws {
        let lease = TestJobLease(on: time)
        let runs = Collected<TimerInstant>()
        let jobs = try (0..<3).map { _ in
            try listen(lease: lease) { [time] run in
                runs.add(run.time)
                try await time.sleep(for: .seconds(100))
            }
        }
        time.advance(by: Self.minute * 185)
        #expect(runs.all == (1...3).map { Self.midnight + Self.minute * 60 * $0 })
        #expect(lease.holder(of: "job") == nil, "released while nothing is to be done")
        for job in jobs { job.dispose() }
        time.advance(by: Self.minute)
        #expect(time.pendingCount == 0)
    }

    @Test("while the lease cannot be reached nothing runs, which is said once")
    func leaseUnreachable() throws {
        let lease = TestJobLease(on: time)
        let job = try listen(lease: lease) { _ in }
        defer { job.dispose() }
        time.advance(by: Self.minute * 30)
        // Asked every five seconds.
        for _ in 0..<24 { lease.fail(.refused) }
        time.advance(by: Self.minute * 31)
        #expect(log.all == ["job: cannot reach the lease: refused by the test; the job does not run"])
        time.advance(by: Self.minute * 5)
        #expect(log.all.dropFirst() == ["01:00: started", "01:00: succeeded"])
    }

    @Test("an instance whose store fails again and again leaves the lease to the others")
    func storeOfHolderFails() throws {
        let lease = TestJobLease(on: time)
        let broken = TestJobStore(on: time)
        let names = Collected<String>()
        let jobs = try [("broken", broken), ("whole", store)].map { name, store in
            Signals.job(
                "job",
                at: try CalendarSchedule("hourly", local: .utc),
                store: store,
                lease: lease,
                on: time.wall,
                timer: time.boot,
                executor: time.executor
            ) { _ in names.add(name) }
            .subscribe(next: { _ in })
        }
        time.advance(by: Self.minute * 59)
        for _ in 0..<1000 { broken.fail(.refused) }
        time.advance(by: Self.minute * 4)
        #expect(names.all == ["whole"])
        for job in jobs { job.dispose() }
        time.advance(by: Self.minute)
    }

    @Test("a run whose lease is lost is cancelled, and the next holder finds it")
    func leaseLost() throws {
        let lease = TestJobLease(on: time)
        let job = try listen(JobPolicy(interrupted: .runAgain(maxAttempts: 2)), lease: lease, working(Self.minute * 10))
        defer { job.dispose() }
        time.advance(by: Self.minute * 61)
        lease.expire("job")
        time.advance(by: Self.minute * 30)
        #expect(
            log.all == [
                "01:00: started", "job: the lease is lost", "01:00: cancelled: the lease is lost",
                "01:00: was interrupted; it runs again", "01:00, attempt 2: started", "01:00, attempt 2: succeeded",
            ]
        )
    }

    /// Counts the calls of a store, each of which takes a while.
    private final class CountingStore: JobStore {
        let calls = Lock((all: 0, underWay: 0, most: 0))
        private let store: any JobStore
        private let call: @Sendable () async throws -> Void

        init(_ store: any JobStore, _ call: @escaping @Sendable () async throws -> Void = {}) {
            self.store = store
            self.call = call
        }

        private func count<Answer: Sendable>(_ ask: () async throws -> Answer) async throws -> Answer {
            calls.withLock { calls in
                calls.all += 1
                calls.underWay += 1
                calls.most = max(calls.most, calls.underWay)
            }
            defer { calls.withLock { $0.underWay -= 1 } }
            try await call()
            return try await ask()
        }

        func load(_ job: String) async throws -> JobRecord? { try await count { try await store.load(job) } }

        func save(_ record: JobRecord, of job: String) async throws -> Bool {
            try await count { try await store.save(record, of: job) }
        }
    }

    private func start(_ name: String, _ store: any JobStore) throws -> any Disposable {
        Signals.job(
            name,
            at: try CalendarSchedule("hourly", local: .utc),
            store: store,
            on: time.wall,
            timer: time.boot,
            executor: time.executor
        ) { _ in }
        .subscribe(next: { [log] in log.add("\($0)") })
    }

    @Test("while the store hangs, a job has one request under way, says so, and goes on when it returns")
    func hangingStore() throws {
        let hangs = Lock(true)
        let counting = CountingStore(store) { [time] in
            guard hangs.withLock({ $0 }) else { return }
            hangs.withLock { $0 = false }
            // It does not heed its cancellation.
            _ = await Task(executorPreference: time.executor) { try await time.sleep(for: Self.minute * 10) }.result
        }
        let job = try start("job", counting)
        defer { job.dispose() }
        time.advance(by: Self.minute * 9)
        #expect(counting.calls.withLock { $0.all } == 1)
        let reasons = ["no answer in time", "the store has not answered an earlier request"]
        #expect(log.all == reasons.map { "job: \($0); the job does not run" })
        time.advance(by: Self.minute * 52)
        #expect(log.all.dropFirst(2).count == 2 && log.all.last?.hasSuffix(": succeeded") == true, "\(log.all)")
        #expect(counting.calls.withLock { $0.most } == 1)
    }

    @Test("a request that the store does not answer in time is cancelled")
    func cancelledRequest() throws {
        let counting = CountingStore(store)
        store.fail(.late(Self.minute * 1000))
        let job = try start("job", counting)
        defer { job.dispose() }
        time.advance(by: Self.minute * 61)
        #expect(log.all.last?.hasSuffix(": succeeded") == true, "\(log.all)")
        #expect(counting.calls.withLock { $0.most } == 1)
    }

    @Test("of many jobs that start together, 64 ask the store at a time")
    func manyStarts() throws {
        let counting = CountingStore(store) { [time] in try await time.sleep(for: .seconds(1)) }
        let jobs = try (0..<200).map { try start("job \($0)", counting) }
        time.advance(by: .milliseconds(500))
        #expect(counting.calls.withLock { $0.all } == 64)
        // It has not asked, and asks now, because its subscription ends with a record.
        jobs[150].dispose()
        time.advance(by: .seconds(10))
        // Each has read and written its record.
        #expect(counting.calls.withLock { $0.all } == 2 * 200)
        #expect(counting.calls.withLock { $0.most } == 65)
        time.advance(by: Self.minute * 60)
        #expect(log.all.count { $0.hasSuffix(": succeeded") } == 199)
        for job in jobs { job.dispose() }
        time.advance(by: Self.minute)
    }

    /// Runs what it gets before `enqueue` returns.
    private final class InlineExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Answers at once.
    private final class InstantStore: JobStore {
        private let records = Lock<[String: JobRecord]>([:])

        func load(_ job: String) async throws -> JobRecord? { records.withLock { $0[job] } }

        func save(_ record: JobRecord, of job: String) async throws -> Bool {
            records.withLock { $0[job] = record }
            return true
        }
    }

    @Test("an executor may run tasks at once")
    func inline() throws {
        let subscription = Signals.job(
            "job",
            at: try CalendarSchedule("hourly", local: .utc),
            store: InstantStore(),
            on: time.wall,
            timer: time.boot,
            executor: InlineExecutor()
        ) { _ in }
        .subscribe(next: { [log] in log.add("\($0)") })
        time.advance(by: Self.minute * 61)
        #expect(log.all.last?.hasSuffix(": succeeded") == true, "\(log.all)")
        subscription.dispose()
    }

    /// Does not answer.
    private final class DeafLease: JobLease {
        let timeToLive = Duration.seconds(15)
        private let time: TestScheduler

        init(on time: TestScheduler) { self.time = time }

        func acquire(_ job: String) async throws -> JobGrant? {
            try await time.sleep(for: .seconds(100_000))
            return nil
        }

        func renew(_ grant: JobGrant, of job: String) async throws -> Bool { false }

        func release(_ grant: JobGrant, of job: String) async {}
    }

    @Test("jobs whose lease does not answer keep none from starting that has no lease")
    func unansweredLease() throws {
        let lease = DeafLease(on: time)
        let counting = CountingStore(store)
        let schedule = try CalendarSchedule("hourly", local: .utc)
        let jobs = (0..<100).map { number in
            Signals.job(
                "leased \(number)",
                at: schedule,
                store: counting,
                lease: lease,
                on: time.wall,
                timer: time.boot,
                executor: time.executor
            ) { _ in }
            .subscribe(next: { _ in })
        }
        let job = try start("job", counting)
        time.advance(by: .seconds(1))
        #expect(counting.calls.withLock { $0.all } > 0)
        for job in jobs + [job] { job.dispose() }
        time.advance(by: .seconds(100_000))
    }

    /// A lease that does not run out, as a lock on a file.
    private final class LockLease: JobLease {
        struct Unreachable: Error {}

        let timeToLive = Duration.seconds(15)
        let state = Lock((holder: UInt64?.none, last: UInt64(0), isReachable: true))

        func acquire(_ job: String) async throws -> JobGrant? {
            state.withLock { state in
                guard state.holder == nil else { return nil }
                state.last += 1
                state.holder = state.last
                return JobGrant(number: state.last)
            }
        }

        func renew(_ grant: JobGrant, of job: String) async throws -> Bool {
            guard state.withLock({ $0.isReachable }) else { throw Unreachable() }
            return true
        }

        func release(_ grant: JobGrant, of job: String) async {
            state.withLock { if $0.holder == grant.number { $0.holder = nil } }
        }
    }

    @Test("a lease that is lost is given back when its run has returned, and not before")
    func lostLeaseIsReleased() throws {
        let lease = LockLease()
        let job = try listen(lease: lease) { [time] _ in
            do {
                try await time.sleep(for: Self.minute * 30)
            } catch {
                // It takes a minute to return.
                _ = await Task(executorPreference: time.executor) { try await time.sleep(for: Self.minute) }.result
            }
        }
        time.advance(by: Self.minute * 61)
        lease.state.withLock { $0.isReachable = false }
        time.advance(by: .seconds(30))
        #expect(log.all.contains("job: the lease is lost"))
        #expect(lease.state.withLock { $0.holder } != nil)
        time.advance(by: Self.minute)
        lease.state.withLock { $0.isReachable = true }
        time.advance(by: Self.minute * 60)
        #expect(log.all.contains("02:00: started"), "\(log.all)")
        job.dispose()
    }

    @Test("a job that is stopped while it asks for its lease, or whose run returns late, gives the lease back")
    func leaseAfterStop() throws {
        let slow = TestJobLease(on: time)
        slow.fail(.late(.seconds(3)))
        let asking = try listen(lease: slow) { _ in }
        time.advance(by: .seconds(1))
        asking.dispose()
        #expect(slow.holder(of: "job") != nil)
        time.advance(by: .seconds(3))
        #expect(slow.holder(of: "job") == nil)

        let lease = LockLease()
        let deaf = try listen(JobPolicy(cancellationGrace: .seconds(10)), lease: lease) { [time] _ in
            await withCheckedContinuation { goOn in time.schedule(after: .seconds(100)) { goOn.resume() } }
        }
        time.advance(by: Self.minute * 61)
        deaf.dispose()
        time.advance(by: .seconds(20))
        #expect(lease.state.withLock { $0.holder } != nil)
        time.advance(by: .seconds(60))
        #expect(lease.state.withLock { $0.holder } == nil)
    }

    @Test("a lease that cannot be renewed is given up before it runs out")
    func leaseRunsOut() throws {
        let lease = TestJobLease(timeToLive: .seconds(30), on: time)
        let ended = Collected<TimerInstant>()
        let job = try listen(lease: lease) { [time] _ in
            do { try await time.sleep(for: .seconds(600)) } catch { ended.add(time.wall.now) }
        }
        defer { job.dispose() }
        time.advance(by: Self.minute * 60 + .seconds(1))
        for _ in 0..<100 { lease.fail(.refused) }
        time.advance(by: .seconds(40))
        #expect(ended.all == [Self.midnight + Self.minute * 60 + .seconds(27)])
    }
}
