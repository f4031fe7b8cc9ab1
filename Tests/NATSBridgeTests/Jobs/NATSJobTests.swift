import Bus
import NATSBridge
import TestSupport
import Testing
import Timers

@Suite("Jobs with a lease and a store in a real nats-server")
struct NATSJobTests {
    @Test("A server that dies takes the lease from a run, nothing runs without it, and another run follows it")
    func serverDies() async throws {
        let scene = try await JobScene()
        let bucket = scene.bucket()
        let heard = Heard<JobEvent>()
        let job = Signals.job(
            "job",
            at: try CalendarSchedule("*:*:*"),
            store: NATSJobStore(in: bucket),
            lease: NATSJobLease(in: bucket, timeToLive: .seconds(2))
        ) { _ in try await Task.sleep(for: .seconds(3600)) }
        .subscribe(next: heard.append)
        defer { job.dispose() }
        await until { heard.values.contains { if case .started = $0 { true } else { false } } }
        await scene.server.stop()
        await until { heard.values.contains { if case .cancelled(_, .leaseLost) = $0 { true } else { false } } }
        let events = heard.values
        #expect(events.contains(.leaseLost(job: "job")))
        #expect(events.contains { if case .leaseUnreachable = $0 { true } else { false } })
        #expect(events.count { if case .started = $0 { true } else { false } } == 1)
        try await scene.server.restart()
        await until { heard.values.count { if case .started = $0 { true } else { false } } > 1 }
        let runs = heard.values.compactMap { if case .started(let run) = $0 { run } else { nil } }
        let given = heard.values.compactMap { if case .abandoned(let run, false) = $0 { run } else { nil } }
        #expect(given.first == runs.first)
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.number < $1.number && $0.time < $1.time })
    }
}
