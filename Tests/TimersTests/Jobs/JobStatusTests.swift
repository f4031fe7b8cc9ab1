import Bus
import BusTesting
import Testing

@testable import Timers

@Suite("The state of jobs, as an inspection shows it")
struct JobStatusTests {
    /// 2026-03-02, a Monday, 00:00 UTC.
    private static let midnight = TimerInstant(nanoseconds: 1_772_409_600_000_000_000)
    private static let minute = Duration.seconds(60)

    private let time = TestScheduler(wallTime: midnight)
    private let store: TestJobStore

    init() { store = TestJobStore(on: time) }

    /// Other tests have jobs, too.
    private func status(of name: String) -> JobStatus? { JobStatus.first(1000).jobs.first { $0.name == name } }

    private func hour(_ number: Int) -> TimerInstant { Self.midnight.advanced(by: Self.minute * 60 * number) }

    @Test("waits, runs, fails, waits for its retry, and is gone after its end")
    func life() throws {
        struct Full: Error {}
        let job = Signals.job(
            "status.life",
            at: try CalendarSchedule("hourly", local: .utc),
            policy: JobPolicy(retries: .constant(.seconds(600), limit: 1)),
            store: store,
            on: time.wall,
            timer: time.boot,
            executor: time.executor
        ) { [time] run in
            try await time.sleep(for: Self.minute)
            if run.attempt == 1 { throw Full() }
        }
        .subscribe(next: { _ in })
        time.advance(by: Self.minute)
        var status = try #require(self.status(of: "status.life"))
        #expect(status.schedule == "*-*-* *:00:00" && status.lease == nil && status.fault == nil)
        #expect(status.next == hour(1) && status.last == nil && status.running == 0 && status.waiting == 0)
        time.advance(by: Self.minute * 59)
        status = try #require(self.status(of: "status.life"))
        #expect(status.running == 1 && status.next == hour(2) && status.last == nil)
        time.advance(by: Self.minute * 2)
        status = try #require(self.status(of: "status.life"))
        #expect(status.running == 0 && status.waiting == 1)
        #expect(status.next == hour(1).advanced(by: Self.minute * 11), "the next attempt")
        #expect(status.last == JobStatus.Last(outcome: "failed", time: hour(1)))
        time.advance(by: Self.minute * 20)
        status = try #require(self.status(of: "status.life"))
        #expect(status.waiting == 0 && status.last == JobStatus.Last(outcome: "succeeded", time: hour(1)))
        job.dispose()
        time.advance(by: Self.minute)
        #expect(self.status(of: "status.life") == nil)
    }

    @Test("counts missed times, and says why the store cannot be used")
    func missed() throws {
        let start = { [time, store] in
            Signals.job(
                "status.missed",
                at: try CalendarSchedule("hourly", local: .utc),
                policy: JobPolicy(missed: .skip),
                store: store,
                on: time.wall,
                timer: time.boot,
                executor: time.executor
            ) { _ in }
            .subscribe(next: { _ in })
        }
        let first = try start()
        time.advance(by: Self.minute)
        first.dispose()
        time.advance(by: Self.minute * 180)
        let second = try start()
        time.advance(by: Self.minute)
        #expect(status(of: "status.missed")?.missed == 3)
        time.advance(by: Self.minute * 58 - .seconds(1))
        store.fail(.refused, .refused, .refused)
        time.advance(by: .milliseconds(1500))
        #expect(status(of: "status.missed")?.fault == "\(TestJobError.refused)")
        second.dispose()
    }

    @Test("of many jobs the first ones are shown, and that there are more")
    func limit() throws {
        let calendar = try CalendarSchedule("2026-03-02 00:01", local: .utc)
        let jobs = (0..<9).map { number in
            Signals.job(
                "status.limit \(number)",
                at: calendar,
                store: store,
                on: time.wall,
                timer: time.boot,
                executor: time.executor
            ) { [time] _ in try await time.sleep(for: Self.minute) }
            .subscribe(next: { _ in })
        }
        time.advance(by: Self.minute)
        let (first, isCut) = JobStatus.first(3)
        #expect(first.count == 3 && isCut)
        #expect(first.allSatisfy { $0.running > 0 }, "those that run come before all that other tests have")
        for job in jobs { job.dispose() }
        time.advance(by: Self.minute)
    }

    @Test("of two instances, one holds the lease while it runs, and the other wants it")
    func lease() throws {
        let lease = TestJobLease(on: time)
        let calendar = try CalendarSchedule("hourly", local: .utc)
        let jobs = (0..<2).map { _ in
            Signals.job(
                "status.lease",
                at: calendar,
                store: store,
                lease: lease,
                on: time.wall,
                timer: time.boot,
                executor: time.executor
            ) { [time] _ in try await time.sleep(for: Self.minute) }
            .subscribe(next: { _ in })
        }
        func leases() -> [JobStatus.Lease?] {
            JobStatus.first(1000).jobs.filter { $0.name == "status.lease" }.map(\.lease)
        }
        time.advance(by: Self.minute * 10)
        #expect(leases() == [.idle, .idle])
        time.advance(by: Self.minute * 50 + .seconds(30))
        let number = try #require(lease.holder(of: "status.lease"))
        // The one that runs comes first.
        #expect(leases() == [.held(number: number), .wanted])
        lease.fail(.refused, .refused, .refused)
        time.advance(by: .seconds(5))
        #expect(leases().contains(.unreachable))
        for job in jobs { job.dispose() }
    }
}
