import Bus
import NATSBridge
import TestSupport
import Testing
import Timers

@Suite("Leases of jobs in a real nats-server")
struct NATSJobLeaseTests {
    @Test("Of three that ask at once, one gets the lease, and every grant has a higher number")
    func racing() async throws {
        let scene = try await JobScene()
        let leases = (0..<3).map { _ in scene.lease() }
        var last: UInt64 = 0
        for _ in 0..<Stress.rounds(20, stress: 500) {
            let grants = try await withThrowingTaskGroup(of: (Int, JobGrant?).self) { group in
                for (index, lease) in leases.enumerated() { group.addTask { (index, try await lease.acquire("job")) } }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(grants.count == 1)
            let (holder, grant) = try #require(grants.first)
            #expect(grant.number > last)
            last = grant.number
            for (index, lease) in leases.enumerated() {
                #expect(try await lease.renew(grant, of: "job") == (index == holder))
            }
            // Another's release changes nothing.
            await leases[(holder + 1) % 3].release(grant, of: "job")
            #expect(try await leases[(holder + 2) % 3].acquire("job") == nil)
            await leases[holder].release(grant, of: "job")
            #expect(try await !leases[holder].renew(grant, of: "job"))
        }
    }

    @Test("A lease is taken when its holder was silent for the time to live by the other's own clock")
    func stale() async throws {
        let scene = try await JobScene()
        let clock = JobScene.Clock()
        let (a, b) = (scene.lease(), scene.lease(by: clock))
        let first = try #require(try await a.acquire("job"))
        #expect(try await b.acquire("job") == nil)
        clock.advance(by: JobScene.timeToLive - .nanoseconds(1))
        #expect(try await b.acquire("job") == nil)
        // From here on it counts anew.
        #expect(try await a.renew(first, of: "job"))
        clock.advance(by: .nanoseconds(1))
        #expect(try await b.acquire("job") == nil)
        clock.advance(by: JobScene.timeToLive)
        let second = try #require(try await b.acquire("job"))
        #expect(second.number > first.number)
        #expect(try await !a.renew(first, of: "job"))
        await a.release(first, of: "job")
        #expect(try await a.acquire("job") == nil)
        #expect(try await b.renew(second, of: "job"))
    }

    @Test("The holder's time to live counts if it is longer")
    func longer() async throws {
        let scene = try await JobScene()
        let clock = JobScene.Clock()
        let (a, b) = (scene.lease(timeToLive: .seconds(60)), scene.lease(by: clock))
        #expect(try await a.acquire("job") != nil)
        #expect(try await b.acquire("job") == nil)
        clock.advance(by: .seconds(59))
        #expect(try await b.acquire("job") == nil)
        clock.advance(by: .seconds(1))
        #expect(try await b.acquire("job") != nil)
    }

    @Test("A holder keeps its lease when the server is killed and started again")
    func restarted() async throws {
        let scene = try await JobScene()
        let (a, b) = (scene.lease(timeToLive: .seconds(3)), scene.lease())
        let grant = try #require(try await JobScene.answer { try await a.acquire("job") })
        await scene.server.stop()
        await #expect(throws: NATSError.self) { try await a.renew(grant, of: "job") }
        await #expect(throws: (any Error).self) { try await b.acquire("other") }
        try await scene.server.restart()
        #expect(try await JobScene.answer { try await a.renew(grant, of: "job") })
        #expect(try await JobScene.answer { try await b.acquire("job") } == nil)
    }

    @Test("A server that is stopped answers nobody; renewals that it carries out later are the holder's")
    func suspended() async throws {
        let scene = try await JobScene()
        let (a, b) = (scene.lease(timeToLive: .seconds(3)), scene.lease(timeToLive: .seconds(3)))
        let grant = try #require(try await JobScene.answer { try await a.acquire("job") })
        #expect(try await JobScene.answer { try await b.acquire("job") } == nil)
        await scene.server.suspend()
        for _ in 0..<2 { await #expect(throws: NATSError.self) { try await a.renew(grant, of: "job") } }
        await #expect(throws: NATSError.self) { try await b.acquire("job") }
        scene.server.resume()
        #expect(try await JobScene.answer { try await a.renew(grant, of: "job") })
        #expect(try await JobScene.answer { try await b.acquire("job") } == nil)
        await a.release(grant, of: "job")
        #expect(try await JobScene.answer { try await b.acquire("job") } != nil)
    }

    @Test(
        "Something else under the key is said, and nobody gets the lease until it is deleted",
        arguments: [
            "x", "\u{0}", "lease 2\nnumber 1\nend\n", "lease 1\nnumber 18446744073709551615\nend\n",
            "lease 1\nnumber 1\nend", "lease 1\nnumber 1\nholder x\ngrant z\nmilliseconds 1\nend\n",
            "lease 1\nnumber 1\nholder x\ngrant 1\nmilliseconds 0\nend\n", String(repeating: "x", count: 100_000),
        ]
    )
    func garbage(_ text: String) async throws {
        let scene = try await JobScene()
        let lease = scene.lease()
        let grant = try #require(try await lease.acquire("job"))
        try await scene.put(text, "lease.job")
        let error = await #expect(throws: NATSJobError.self) { try await lease.acquire("job") }
        #expect(error?.description.contains("under the key lease.job is not a lease; delete it") == true)
        await #expect(throws: NATSJobError.self) { try await lease.renew(grant, of: "job") }
        #expect(try await scene.value("lease.job") == text)
        try await scene.put("", "lease.job")
        #expect(try #require(try await lease.acquire("job")).number > grant.number)
    }

    @Test(
        "A bucket that may lose what is written is refused",
        arguments: [
            ("storage", "\"memory\"", "it is in memory"), ("max_age", "3600000000000", "it removes keys after a time"),
            ("discard", "\"old\"", "when it is full, it removes other keys"),
            ("max_msgs_per_subject", "-1", "it keeps -1 versions of a key"),
            ("retention", "\"workqueue\"", "it removes what was read"), ("no_ack", "true", "it does not acknowledge"),
            ("subjects", "[\"$KV.jobs.*\"]", "its stream has the subjects $KV.jobs.* and not $KV.jobs.> alone"),
        ]
    )
    func otherSettings(_ setting: String, _ value: String, _ flaw: String) async throws {
        let scene = try await JobScene()
        try await scene.makeBucket([setting: value])
        let lease = scene.lease()
        for _ in 0..<2 {
            let error = await #expect(throws: NATSJobError.self) { try await lease.acquire("job") }
            #expect(error?.description.hasPrefix("the bucket \"jobs\" (\(scene.server.url)): \(flaw)") == true)
        }
        // It is used when it was set right.
        try await scene.ask("STREAM.DELETE.KV_jobs")
        try await scene.makeBucket(["max_msgs_per_subject": "5"])
        #expect(try await lease.acquire("job") != nil)
    }

    @Test("A server without JetStream, and names that are none, are errors that say so")
    func withoutStream() async throws {
        let scene = try await JobScene("")
        let missing = await #expect(throws: NATSError.self) { try await scene.lease().acquire("job") }
        #expect(missing?.reason == .noStream)
        #expect(missing?.description.hasPrefix("cannot look up the bucket \"jobs\"") == true)
        let wrong = await #expect(throws: NATSJobError.self) { try await scene.lease("a.b").acquire("job") }
        #expect(wrong?.description.contains("not the name of a bucket") == true)
    }

    @Test("Two buckets, and two jobs, have leases of their own", arguments: ["", "a.b", "a b", "ä", "*", "=", "a=2Eb"])
    func names(_ name: String) async throws {
        let scene = try await JobScene()
        let a = scene.lease()
        #expect(try await a.acquire("a") != nil)
        #expect(try await a.acquire(name) != nil)
        #expect(try await scene.lease("others").acquire(name) != nil)
        #expect(try await scene.lease().acquire(name) == nil)
    }

    @Test("Numbers go on to grow when the key is deleted, or the bucket")
    func deleted() async throws {
        let scene = try await JobScene()
        let (a, b) = (scene.lease(timeToLive: .seconds(3)), scene.lease(timeToLive: .seconds(3)))
        var last = try #require(try await JobScene.answer { try await a.acquire("job") })
        let ways: [() async throws -> Void] = [
            { try await scene.put("", "lease.job") },
            { try await scene.ask("STREAM.PURGE.KV_jobs") },
            { try await scene.ask("STREAM.DELETE.KV_jobs") },
        ]
        for delete in ways {
            try await delete()
            // Nobody answers for a bucket that is gone; then the instance looks, and makes it.
            let grant = try #require(try await JobScene.answer { try await b.acquire("job") })
            #expect(grant.number > last.number)
            #expect(try await JobScene.answer { try await !a.renew(last, of: "job") })
            await b.release(grant, of: "job")
            last = try #require(try await JobScene.answer { try await a.acquire("job") })
            #expect(last.number > grant.number)
        }
    }

    @Test("In a cluster, lease and record outlast one of three servers")
    func cluster() async throws {
        let cluster = try await TestNATSCluster.start()
        let buckets = (0..<2).map { _ in
            var options = NATSOptions(servers: cluster.urls)
            options.reconnectWait = .milliseconds(20)
            return NATSJobBucket("jobs", over: NATSConnection(options), replicas: 3)
        }
        let leases = buckets.map { NATSJobLease(in: $0, timeToLive: .seconds(3)) { TimerInstant(nanoseconds: 0) } }
        let grant = try #require(try await JobScene.answer { try await leases[0].acquire("job") })
        for server in cluster.servers.prefix(Stress.rounds(1, stress: 3)) {
            await server.stop()
            #expect(try await JobScene.answer { try await leases[0].renew(grant, of: "job") })
            #expect(try await JobScene.answer { try await leases[1].acquire("job") } == nil)
            try await server.restart()
            #expect(try await JobScene.answer { try await leases[0].renew(grant, of: "job") })
        }
        await leases[0].release(grant, of: "job")
        let next = try await JobScene.answer { try await leases[1].acquire("job") ?? { throw Held() }() }
        #expect(next.number > grant.number)
    }

    /// The release is not there yet, or the server that answers does not know it.
    private struct Held: Error {}
}
