import Bus
import BusTesting
import TestSupport
import Testing
import Timers

@Suite("OneShots")
struct OneShotTests {
    /// 2026-03-02, a Monday, 00:00 UTC.
    private static let midnight = TimerInstant(nanoseconds: 1_772_409_600_000_000_000)
    private static let minute = Duration.seconds(60)

    private let time = TestScheduler(wallTime: midnight)
    private let store: TestJobStore
    private let reminders: OneShots
    private let log = Collected<String>()

    init() {
        store = TestJobStore(on: time)
        reminders = OneShots("job", store: store, on: time.wall, timer: time.boot, executor: time.executor)
    }

    private func other(_ lease: TestJobLease? = nil) -> OneShots {
        OneShots("job", store: store, lease: lease, on: time.wall, timer: time.boot, executor: time.executor)
    }

    /// Runs what is scheduled, and writes down its events without the job's name and the date.
    private func listen(
        _ policy: JobPolicy = JobPolicy(),
        to reminders: OneShots? = nil,
        _ work: @escaping @Sendable (JobRun) async throws -> Void = { _ in }
    ) -> any Disposable {
        (reminders ?? self.reminders).job(policy: policy, work).subscribe(
            next: { [log] in
                log.add(
                    "\($0)".replacing("job ", with: "").replacing("2026-03-02T", with: "").replacing(":00Z", with: "")
                )
            },
            completed: { [log] in log.add("end") }
        )
    }

    private func end(_ job: any Disposable) {
        job.dispose()
        time.advance()
    }

    /// What a call brings, when it has ended in virtual time.
    @discardableResult
    private func result<Answer: Sendable>(
        after duration: Duration = .zero,
        _ call: @escaping @Sendable () async throws -> Answer
    ) throws -> Answer {
        let answer = Lock<Result<Answer, any Error>?>(nil)
        Task(executorPreference: time.executor) {
            let result: Result<Answer, any Error>
            do { result = .success(try await call()) } catch { result = .failure(error) }
            answer.withLock { $0 = result }
        }
        time.advance(by: duration)
        return try #require(answer.withLock { $0 }, "the call has not ended").get()
    }

    private func schedule(_ id: String, _ minutes: Int) throws {
        try result { [reminders] in try await reminders.schedule(id, at: Self.midnight + Self.minute * minutes) }
    }

    private func cancel(_ id: String) throws -> Bool {
        try result { [reminders] in try await reminders.cancel(id) }
    }

    private func all() throws -> [OneShot] { try result { [reminders] in try await reminders.list() } }

    private func list() throws -> [String] {
        try all().map {
            "\($0)".replacing("2026-03-02T", with: "").replacing(":00Z", with: "")
        }
    }

    @Test("runs each at its time, in the order of their times, once")
    func runs() throws {
        let job = listen { [time] run in #expect(time.wall.now == run.time) }
        defer { end(job) }
        try schedule("b", 120)
        try schedule("a", 60)
        #expect(try list() == ["a 01:00", "b 02:00"])
        time.advance(by: Self.minute * 59)
        #expect(log.all == [])
        time.advance(by: Self.minute)
        #expect(log.all == ["a 01:00: started", "a 01:00: succeeded"])
        #expect(try list() == ["b 02:00"])
        time.advance(by: Self.minute * 600)
        #expect(log.all.dropFirst(2) == ["b 02:00: started", "b 02:00: succeeded"])
        #expect(try list() == [])
    }

    @Test("an id replaces what waits, earlier or later")
    func replaces() throws {
        let job = listen()
        defer { end(job) }
        try schedule("a", 60)
        try schedule("b", 120)
        try schedule("a", 180)
        try schedule("b", 30)
        #expect(try list() == ["b 00:30", "a 03:00"])
        time.advance(by: Self.minute * 600)
        #expect(log.all == ["b 00:30: started", "b 00:30: succeeded", "a 03:00: started", "a 03:00: succeeded"])
    }

    @Test("an id cancels what waits, and says whether there was anything")
    func cancels() throws {
        let job = listen()
        defer { end(job) }
        try schedule("a", 60)
        #expect(try cancel("a"))
        #expect(try !cancel("a"))
        time.advance(by: Self.minute * 600)
        #expect(log.all == [])
    }

    @Test("an id cancels what runs, which is not tried again")
    func cancelsRun() throws {
        let policy = JobPolicy(interrupted: .runAgain(maxAttempts: 9), retries: .constant(.seconds(1)))
        let job = listen(policy) { [time] _ in try await time.sleep(for: Self.minute * 10) }
        defer { end(job) }
        try schedule("a", 60)
        time.advance(by: Self.minute * 61)
        #expect(try list() == ["a 01:00, running"])
        #expect(try cancel("a"))
        time.advance(by: Self.minute * 60)
        #expect(log.all == ["a 01:00: started", "a 01:00: cancelled: it was withdrawn"])
        #expect(try list() == [])
    }

    @Test(
        "one that was due while nothing ran: the policy says whether it runs",
        arguments: [
            (JobPolicy(missed: .skip), ["a 01:00: skipped: missed", "b 02:00: skipped: missed"]),
            (
                JobPolicy(missed: .runOnce),
                ["a 01:00: started", "a 01:00: succeeded", "b 02:00: started", "b 02:00: succeeded"]
            ),
            (
                JobPolicy(within: Self.minute * 70),
                ["a 01:00: skipped: too late", "b 02:00: started", "b 02:00: succeeded"]
            ),
        ]
    )
    func missed(policy: JobPolicy, expected: [String]) throws {
        try schedule("a", 60)
        try schedule("b", 120)
        try schedule("c", 240)
        time.advance(by: Self.minute * 180)
        let job = listen(policy, to: other())
        time.advance(by: Self.minute * 60)
        end(job)
        #expect(log.all == expected + ["c 04:00: started", "c 04:00: succeeded"])
    }

    @Test("a calendar's next time, or a wait; one that never comes is an error")
    func times() throws {
        try result { [reminders] in
            try await reminders.schedule("a", at: CalendarSchedule("2027-01-04 09:00 Europe/Berlin"))
            try await reminders.schedule("b", after: .seconds(3 * 86_400))
        }
        #expect(try list() == ["b 2026-03-05T00:00", "a 2027-01-04T08:00"])
        let error = #expect(throws: OneShotError.self) {
            try result { [reminders] in
                try await reminders.schedule("c", at: CalendarSchedule("2026-01-04 09:00 Europe/Berlin"))
            }
        }
        #expect(error == .noTime(id: "c", calendar: "2026-01-04 09:00:00 Europe/Berlin"))
        #expect(throws: OneShotError.invalidTime(id: "d")) {
            try result { [reminders] in try await reminders.schedule("d", at: .distantFuture) }
        }
    }

    @Test("there is a limit, and one more is an error; replacing is not one more")
    func limit() throws {
        try result { [reminders] in
            try await withThrowingTaskGroup { group in
                for number in 0..<OneShots.maxCount {
                    group.addTask { try await reminders.schedule("\(number)", after: .seconds(number)) }
                }
                try await group.waitForAll()
            }
        }
        #expect(throws: OneShotError.tooMany(job: "job")) { try schedule("more", 1) }
        try schedule("7", 1)
        #expect(try cancel("8"))
        try schedule("more", 1)
        #expect(try list().count == OneShots.maxCount)
        let text = try #require(store.records["job"]?.text)
        #expect(try JobRecord(text: text) == store.records["job"])
    }

    @Test(
        "any id comes back as it was",
        arguments: ["a b", "ä", "%", "%41", "\r\n", "number", "id", "\u{301}e", "\u{0}"]
    )
    func ids(id: String) throws {
        try schedule(id, 1)
        let text = try #require(store.records["job"]?.text)
        store.records["job"] = try JobRecord(text: text)
        #expect(try all().map(\.id) == [id])
        #expect(text.utf8.allSatisfy { $0 == 0x0a || (0x20...0x7e).contains($0) })
    }

    @Test("an id that is empty or too long is refused", arguments: ["", String(repeating: "ä", count: 128)])
    func refusedIDs(id: String) throws {
        #expect(throws: OneShotError.invalidID(id)) { try schedule(id, 1) }
    }

    // MARK: Runs

    @Test("a run may schedule its own id; a failed one that was replaced is not tried again")
    func again() throws {
        let job = listen(JobPolicy(retries: .constant(.seconds(60)))) { [reminders] run in
            guard run.time < Self.midnight + Self.minute * 80 else { return }
            try await reminders.schedule("a", at: run.time + Self.minute * 10)
            throw TestFailure("no luck")
        }
        defer { end(job) }
        try schedule("a", 60)
        time.advance(by: Self.minute * 600)
        #expect(log.all.filter { $0.hasSuffix("started") } == ["01:00", "01:10", "01:20"].map { "a \($0): started" })
    }

    @Test("a failure of one that was scheduled again while it ran announces no attempt, because there is none")
    func announcesNone() throws {
        let job = listen(JobPolicy(retries: .constant(.seconds(60)))) { [time] run in
            guard run.time == Self.midnight + Self.minute * 60 else { return }
            try await time.sleep(for: Self.minute * 10)
            throw TestFailure("no luck")
        }
        defer { end(job) }
        try schedule("a", 60)
        time.advance(by: Self.minute * 61)
        try schedule("a", 62)
        time.advance(by: Self.minute * 60)
        #expect(
            log.all == ["a 01:00: started", "a 01:00: failed: no luck", "a 01:02: started", "a 01:02: succeeded"]
        )
    }

    @Test("they are listed in the order of their times, also one for an earlier time than that of the one that runs")
    func listedInOrder() throws {
        let job = listen { [time] _ in try await time.sleep(for: Self.minute * 10) }
        defer { end(job) }
        try schedule("a", 60)
        time.advance(by: Self.minute * 61)
        try schedule("b", 30)
        #expect(try list() == ["b 00:30", "a 01:00, running"])
        time.advance(by: Self.minute * 30)
    }

    @Test("one that is scheduled again while it runs waits for its own run, also beside others")
    func sameID() throws {
        let job = listen(JobPolicy(overlapping: .parallel(max: 3))) { [time] _ in
            try await time.sleep(for: Self.minute * 10)
        }
        defer { end(job) }
        try schedule("a", 60)
        time.advance(by: Self.minute * 61)
        try schedule("a", 62)
        try schedule("b", 63)
        time.advance(by: Self.minute * 3)
        let text = try #require(store.records["job"]?.text)
        #expect(try JobRecord(text: text) == store.records["job"])
        time.advance(by: Self.minute * 60)
        #expect(
            log.all == [
                "a 01:00: started", "b 01:03: started", "a 01:00: succeeded", "a 01:02: started", "b 01:03: succeeded",
                "a 01:02: succeeded",
            ]
        )
    }

    @Test("a run that was withdrawn keeps its slot until it returns")
    func withdrawnRunKeepsSlot() throws {
        let job = listen { [time] _ in
            await withCheckedContinuation { goOn in time.schedule(after: Self.minute * 10) { goOn.resume() } }
        }
        defer { end(job) }
        try schedule("a", 60)
        try schedule("b", 62)
        time.advance(by: Self.minute * 61)
        #expect(try cancel("a"))
        time.advance(by: Self.minute * 60)
        #expect(
            log.all == [
                "a 01:00: started", "a 01:00: was cancelled and does not return",
                "a 01:00: cancelled: it was withdrawn", "b 01:02: started", "b 01:02: succeeded",
            ]
        )
    }

    @Test("none waits for another's retry, and none is skipped for another's run")
    func retries() throws {
        let job = listen(JobPolicy(retries: .constant(Self.minute * 30, limit: 1))) { [time] run in
            if run.id == "a", run.attempt == 1 { throw TestFailure("no luck") }
            try await time.sleep(for: Self.minute * 5)
        }
        defer { end(job) }
        for (index, id) in ["a", "b", "c"].enumerated() { try schedule(id, 60 + index) }
        time.advance(by: Self.minute * 600)
        #expect(
            log.all.filter { !$0.contains("failed") } == [
                "a 01:00: started", "b 01:01: started", "b 01:01: succeeded", "c 01:02: started", "c 01:02: succeeded",
                "a 01:00, attempt 2: started", "a 01:00, attempt 2: succeeded",
            ]
        )
    }

    @Test(
        "a crash in the middle of a run: the next start finds it",
        arguments: [
            (InterruptedRuns.abandon, ["a 01:00: was interrupted"]),
            (
                .runAgain(maxAttempts: 2),
                [
                    "a 01:00: was interrupted; it runs again", "a 01:00, attempt 2: started",
                    "a 01:00, attempt 2: succeeded",
                ]
            ),
        ]
    )
    func crash(interrupted: InterruptedRuns, expected: [String]) throws {
        try schedule("a", 60)
        let before = listen { [time] _ in try await time.sleep(for: Self.minute * 10) }
        time.advance(by: Self.minute * 61)
        let records = store.records
        end(before)
        store.records = records
        let job = listen(JobPolicy(interrupted: interrupted), to: other())
        time.advance(by: Self.minute)
        end(job)
        #expect(log.all.dropFirst() == expected[...])
    }

    // MARK: The store

    @Test("a schedule that the store refuses is an error and is not there; one whose answer is lost is there")
    func storeFails() throws {
        let job = listen()
        defer { end(job) }
        time.advance()
        store.fail(nil, .refused)
        #expect(throws: TestJobError.refused) { try schedule("a", 60) }
        #expect(try list() == [])
        store.fail(nil, .lost)
        #expect(throws: TestJobError.lost) { try schedule("a", 60) }
        #expect(try list() == ["a 01:00"])
        try schedule("a", 60)
        time.advance(by: Self.minute * 600)
        #expect(log.all == ["a 01:00: started", "a 01:00: succeeded"])
    }

    @Test("changes while the job's own requests are on their way are not missed", arguments: 0..<4, 0..<2)
    func meanwhile(call: Int, callsOfB: Int) throws {
        try schedule("a", 1)
        for _ in 0..<call { store.fail(nil) }
        store.fail(.late(.seconds(20)))
        let job = listen { [time] _ in try await time.sleep(for: .seconds(1)) }
        defer { end(job) }
        time.advance(by: Self.minute + .seconds(2))
        for _ in 0..<callsOfB { store.fail(nil) }
        store.fail(.late(.seconds(5)))
        try result(after: Self.minute) { [reminders] in
            try await reminders.schedule("b", at: Self.midnight + Self.minute * 2)
        }
        time.advance(by: Self.minute * 10)
        #expect(log.all.filter { $0.hasSuffix("started") } == ["a 00:01: started", "b 00:02: started"])
        #expect(try list() == [])
    }

    @Test("changes of one moment share a write")
    func sharesWrites() throws {
        try result { [reminders] in
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask { try await reminders.schedule("\(number)", after: .seconds(60)) }
                }
                try await group.waitForAll()
            }
        }
        #expect(store.records["job"]?.revision == 1)
        #expect(try list().count == 100)
    }

    @Test("a caller that is cancelled does not wait, and takes nothing from others")
    func cancelledCaller() throws {
        store.fail(.late(.seconds(10)))
        let ended = Lock(false)
        let waiting = Task(executorPreference: time.executor) { [reminders] in
            await #expect(throws: CancellationError.self) { try await reminders.schedule("a", after: .seconds(60)) }
            ended.withLock { $0 = true }
        }
        time.advance(by: .seconds(1))
        waiting.cancel()
        time.advance(by: .seconds(1))
        #expect(ended.withLock { $0 })
        try result(after: .seconds(10)) { [reminders] in try await reminders.schedule("b", after: .seconds(60)) }
        #expect(try list().contains { $0.hasPrefix("b ") })
    }

    // MARK: The lease

    @Test("one of three instances runs it, also when the one that scheduled it has crashed")
    func instances() throws {
        let lease = TestJobLease(on: time)
        let three = (0..<3).map { _ in other(lease) }
        let jobs = three.map { listen(to: $0) { [time] _ in try await time.sleep(for: Self.minute) } }
        time.advance(by: Self.minute * 5)
        try result { try await three[0].schedule("a", at: Self.midnight + Self.minute * 7) }
        jobs[0].dispose()
        time.advance(by: Self.minute * 10)
        #expect(log.all == ["a 00:07: started", "a 00:07: succeeded"])
        #expect(lease.holder(of: "job") == nil, "released while nothing is to be done")
        for job in jobs { job.dispose() }
        time.advance(by: Self.minute)
        #expect(time.pendingCount == 0)
    }

    @Test("a run in another instance is cancelled within a minute")
    func cancelsElsewhere() throws {
        let lease = TestJobLease(on: time)
        let (here, there) = (other(lease), other(lease))
        let job = listen(to: here) { [time] _ in try await time.sleep(for: Self.minute * 60) }
        defer { end(job) }
        try result { try await there.schedule("a", at: Self.midnight + Self.minute) }
        time.advance(by: Self.minute * 10)
        let isThere = try result { try await there.cancel("a") }
        #expect(isThere)
        time.advance(by: Self.minute)
        #expect(log.all == ["a 00:01: started", "a 00:01: cancelled: it was withdrawn"])
    }
}
